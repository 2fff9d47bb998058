"""Parsing a text with a trained probe, and the heads that decided each arc."""
from dataclasses import dataclass
@dataclass
class Parsed: ...
