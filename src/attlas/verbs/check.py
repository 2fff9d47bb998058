"""`attlas check`: does what Attlas sees of a model agree with its own attention?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.options.option_groups import LoadOptions, Model
from attlas.options.verb import verb

if TYPE_CHECKING:
    from attlas.studies.agreement import Agreement


@verb("Measure")
def check(model: Model = "mini", *, load_options: LoadOptions = LoadOptions()) -> Agreement:
    """Check that every number of this architecture agrees with transformers' own eager attention here.

    On a short text it compares attention weights, outputs, statistics by each fused kernel, and what
    switching heads off leaves behind, and says what was not compared and why. It exits with 1 where something
    differs.

    Example: attlas check mini
    """
    from attlas.studies.agreement import DiffersError, check_agreement

    agreement = check_agreement(load_options.load(model))
    if not agreement.whole:
        raise DiffersError(agreement)
    return agreement
