"""`attlas ask`: a question in your own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.options.option_groups import AtlasOrFolder
from attlas.options.verb import verb
from attlas.verbs import open_atlas

if TYPE_CHECKING:
    from attlas.reports.ask_answer import Answer


@verb("Look")
def ask(atlas: AtlasOrFolder, question: str) -> Answer:
    """Ask an atlas which heads do something, in your own words.

    No language model is involved: words are matched with what was measured, and heads are ranked by how far
    they exceed their baseline. If the atlas has not measured it, you get the command that would.

    Example: attlas ask out/mini.attlas "which head links objects to their verbs?"

    Parameters
    ----------
    question
        What you want to know: "previous word", "which heads are induction heads?", "what does 7.10 do?"
    """
    from attlas.progress import tell
    from attlas.reports.asking import ask as answer

    tell("looking through what is known of every head")
    return answer(open_atlas(atlas), question)
