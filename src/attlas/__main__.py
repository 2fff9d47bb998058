"""The command `attlas`, and `python -m attlas`. Nothing is imported before an interrupt would be answered."""

import sys


def main() -> None:
    try:
        from attlas import cli

        cli.main()
    except KeyboardInterrupt:
        print("attlas: stopped", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
