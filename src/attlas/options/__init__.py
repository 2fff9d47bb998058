"""The options of verbs: how they are declared, described and checked, and what they make.

Here are the groups, for those who reuse them: `run_options = attlas.options.RunOptions(workers=4)`, then
`attlas.map("mini", run_options=run_options)`."""

from attlas.options.option_groups import (
    BatchOptions,
    CorpusOptions,
    KeepOptions,
    LoadOptions,
    ResumeOptions,
    RowOptions,
    RunOptions,
    TaskOptions,
    TextOptions,
    TwinOptions,
    WindowOptions,
)
from attlas.options.view_options import ViewOptions

__all__ = [
    "BatchOptions",
    "CorpusOptions",
    "KeepOptions",
    "LoadOptions",
    "ResumeOptions",
    "RowOptions",
    "RunOptions",
    "TaskOptions",
    "TextOptions",
    "TwinOptions",
    "ViewOptions",
    "WindowOptions",
]
