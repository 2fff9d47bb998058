"""The search over all models: the finders of their reports as one, for the rules of matching of the pages."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from attlas.reports.forms import forms
from attlas.reports.glossary import glossary
from attlas.reports.page_contract import Topic
from attlas.site.published_model import PublishedModel

HEADS_OF_MODEL = 3  # in a topic


@dataclass
class SearchData:
    """Topics of the same title and terms become one, with the best heads of each model."""

    models: list[tuple[str, str]] = field(default_factory=list)  # slug, title
    heads: list[tuple[int, str]] = field(default_factory=list)  # model, address
    topics: dict[str, dict[str, Any]] = field(default_factory=dict)
    rules: dict[str, Any] = field(default_factory=dict)  # of matching: the same for every model

    def add(self, model: PublishedModel) -> None:
        finder = model.report["finder"]
        self.rules = {name: rule for name, rule in finder.items() if name not in ("glossary", "topics")}
        number = len(self.models)
        self.models.append((model.slug, model.title))
        places: dict[int, int] = {}
        for topic in finder["topics"]:
            key = json.dumps([topic["title"], topic["terms"], topic["needs"]])
            kept = {"title": topic["title"], "terms": topic["terms"], "needs": topic["needs"], "rows": []}
            rows = self.topics.setdefault(key, kept)["rows"]
            for rank, place in enumerate(topic["heads"][:HEADS_OF_MODEL]):
                if place not in places:
                    places[place] = len(self.heads)
                    self.heads.append((number, model.addresses[place]))
                rows.append(self._row(topic, rank, places[place], model))

    def _row(self, topic: Topic, rank: int, head: int, model: PublishedModel) -> tuple[Any, ...]:
        return not topic["sure"][rank], -topic["effects"][rank], head, model.text(topic["sentences"][rank])

    def script(self) -> str:
        """A script that sets the data: pages from a file system may load nothing else."""
        topics = []
        for topic in self.topics.values():
            rows = sorted(topic["rows"])
            topics.append(
                {
                    **{name: topic[name] for name in ("title", "terms", "needs")},
                    "sure": [not doubtful for doubtful, *_ in rows],
                    "effects": [-effect for _, effect, *_ in rows],
                    "heads": [head for _, _, head, _ in rows],
                    "sentences": [[sentence] for *_, sentence in rows],
                }
            )
        data = {
            "models": [{"slug": slug, "title": title} for slug, title in self.models],
            "heads": self.heads,
            "forms": [pattern for pattern, *_ in forms()],
            "finder": {
                **self.rules,
                "glossary": glossary("MODEL", "ATLAS"),
                "topics": topics,
            },
        }
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
        return f"attlasSearch({text});\n"
