# The app in a container: docker build -t attlas . ; docs/app.md says how to start it
FROM python:3.12-slim
WORKDIR /attlas
COPY . .
RUN pip install --no-cache-dir --constraint constraints.txt --extra-index-url https://download.pytorch.org/whl/cpu ".[serve]" \
    && useradd --create-home attlas
USER attlas
EXPOSE 8765
ENTRYPOINT ["attlas", "serve", "--no-open", "--host", "0.0.0.0"]
CMD ["mini", "--hosts", "localhost", "127.0.0.1", "--token", "new"]
