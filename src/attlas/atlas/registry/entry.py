"""What an entry of the registry says of a statistic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType
from typing import Literal

Family = Literal["surface", "gradient", "distance", "link", "weight", "effect", "pattern", "name"]
Unit = Literal["share", "weight", "nats", "tokens", "tokens²", "tokens' worth", "loss per weight", ""]

#: group -> how people write it; other groups are written as they are
GROUPS: Mapping[str, str] = MappingProxyType(
    {"cls": "[CLS]", "sep": "[SEP]", "punct": "period or comma", "other": "other tokens", "image": "images"}
)

#: group -> as the column of a table has it, where that is shorter
SHORT_GROUPS: Mapping[str, str] = MappingProxyType({"punct": ". or ,", "other": "other"})


@dataclass(frozen=True)
class Statistic:
    """One statistic of `heads.parquet`.

    `title`, `short` and `sentence` may hold `{group}`; a sentence also `{value}`, which comes with its error
    and unit. For shares, `title` is what the attention goes to: "the previous token". A share from 0 to 1,
    unless `unit`, `low` and `high` say otherwise.
    """

    name: str
    _: KW_ONLY
    groups: str = ""  # what its groups are; empty: it has none
    meaning: str  # what its value is
    unit: Unit = "share"
    low: float = 0  # the range of its values
    high: float = 1
    chance: str  # what even attention, or chance, would give
    title: str  # what it is about, in a phrase
    short: str  # for the column of a table
    sentence: str  # what a value says of a head, after its name
    family: Family
    probe: str = ""  # the probe, or the verb, that leaves it
    more_is_better: bool | None = None  # None: neither
    overview: tuple[str, ...] = ()  # groups that have a column in the overview; "" where there are none
    looks_ahead: bool = False  # a causal model cannot do it
    by_norm: bool = True  # taken of weights by norm, too: not what costs a kernel more than all others
    apart_from_first: str = ""  # the statistic that it is, of what does not fall on the first token
    curve: tuple[str, ...] = ()  # where its groups are points of a curve: those that a list has a line for
    group_names: Mapping[str, str] = field(default_factory=lambda: GROUPS)

    def list_groups(self, groups: Iterable[str]) -> tuple[str, ...]:
        """Select those of its groups that a list has a line for."""
        return tuple(group for group in groups if not self.curve or group in self.curve)

    def group_name(self, group: str) -> str:
        return self.group_names.get(group, group.replace("_", " "))

    def write_title(self, group: str) -> str:
        return self.title.format(group=self.group_name(group)).strip()

    def write_name(self, group: str) -> str:
        """What it is called where it stands alone: to the next token · entropy from [CLS]"""
        return f"to {self.write_title(group)}" if self.goes_somewhere else self.write_title(group)

    def write_short(self, group: str) -> str:
        name = SHORT_GROUPS.get(group, self.group_name(group)) if group in self.group_names else group
        return self.short.format(group=name).strip()

    def write_sentence(self, group: str, value: str) -> str:
        return self.sentence.format(group=self.group_name(group), value=value)

    @property
    def is_share(self) -> bool:
        return self.unit == "share"

    @property
    def changes_by_size(self) -> bool:
        """Whether a change of it may be large enough to matter: of shares, weights and entropies. What tokens
        receive, and distances in tokens, have other scales."""
        return self.unit in ("share", "weight", "nats")

    @property
    def goes_somewhere(self) -> bool:
        """Whether its title is what attention goes to."""
        return self.family == "surface" and self.is_share and self.name.startswith("to_")
