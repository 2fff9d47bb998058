"""Numbers and counts as people read them."""

from __future__ import annotations

import math
import re
from pathlib import PurePath

ROUNDING = 1e-4  # percent that sums of single precision are off by


def model_title(name: str) -> str:
    """The name of a model; of a folder or a file, its last part: org/model · bert-of-mine · SmolLM2 (Q4_1)"""
    path = PurePath(name.replace("\\", "/"))
    if path.suffix.lower() == ".gguf":
        quantised = re.fullmatch(r"(.+?)[.-]((?:IQ|Q)\d\w*|B?F16|F32)", path.stem, re.IGNORECASE)
        return f"{quantised[1]} ({quantised[2]})" if quantised else path.stem
    is_path = name.startswith(("/", ".", "~")) or "\\" in name or name.count("/") > 1
    return (path.name or name) if is_path else name


def number(value: float, digits: int = 4) -> str:
    """1,234.5678 · 0.9901 · 1.3e-05"""
    if not math.isfinite(value):
        return "–"
    if value and abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e}"
    return f"{value:,.{digits}f}"


def brief(value: float, digits: int = 3) -> str:
    """As `number`, for narrow columns: 0.990 · <.001"""
    if value and abs(value) < 0.5 * 10**-digits:
        return f"{'>-' if value < 0 else '<'}{f'{10**-digits:.{digits}f}'.removeprefix('0')}"
    return number(value, digits)


def uncertain(value: float, stderr: float, digits: int = 4) -> str:
    """A value and its standard error, where it has one."""
    if not math.isfinite(stderr) or not math.isfinite(value):
        return number(value, digits)
    if value and abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e} ± {stderr:.1e}"
    smallest = 10**-digits
    error = f"{stderr:.{digits}f}" if stderr >= smallest / 2 or stderr == 0 else f"<{smallest:.{digits}f}"
    return f"{number(value, digits)} ± {error}"


def count(many: int, what: str) -> str:
    """1 head · 144 heads"""
    return f"{many:,} {what}" + ("" if many == 1 else "s")


def percent(share: float, digits: int = 1) -> str:
    """70.1 % · <0.1 % · >99.9 %: only nothing is 0 %, and only all of it is 100 %"""
    if not math.isfinite(share):
        return "–"
    part, least = 100 * share, 10**-digits
    if ROUNDING < abs(part) < least / 2:
        return f"{'>-' if part < 0 else '<'}{least:.{digits}f} %"
    if 100 - least / 2 <= abs(part) < 100 - ROUNDING:
        return f"{'<-' if part < 0 else '>'}{100 - least:.{digits}f} %"
    return f"{round(part, digits) + 0.0:.{digits}f} %"


def percent_change(share: float) -> str:
    """+17.0 % · -3.2 % · within 0.1 %"""
    return f"{100 * share:+.1f} %" if abs(share) >= 0.0005 else "within 0.1 %"


def format_p(p: float) -> str:
    """<0.001 · 0.034, under a heading that says p"""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def chance_of(p: float) -> str:
    """p < 0.001 · p = 0.034"""
    return "p < 0.001" if p < 0.001 else f"p = {format_p(p)}"


def format_percents(low: float, high: float) -> str:
    """67–73, under a heading that says %"""
    return f"{100 * low:.0f}–{100 * high:.0f}"


def format_range(low: float, high: float, digits: int = 4) -> str:
    """-0.0440 to +0.1800: an interval of a difference"""
    return f"{low:+.{digits}f} to {high:+.{digits}f}"
