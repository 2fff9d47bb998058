"""The app: a small HTTP API over what the library does, and the page that uses it. No science is here."""
