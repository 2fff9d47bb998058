"""`attlas push`: an atlas to the Hugging Face Hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.options.option_groups import File
from attlas.options.verb import verb

if TYPE_CHECKING:
    from attlas.site.pushing import Pushed


@verb("Share")
def push(atlas: File, repository: str, *, public: bool = False) -> Pushed:
    """Send an atlas to the Hugging Face Hub, as a dataset with a card that is made of its sentences.

    It is private unless you say otherwise. Log in first, with the hub's own command: hf auth login. What
    reads an atlas then takes hf://OWNER/NAME. If it was stopped, run it again: what the hub has is not sent
    twice.

    Example: attlas push mini.attlas me/mini-atlas

    Parameters
    ----------
    atlas
        The folder of an atlas.
    repository
        OWNER/NAME on the hub. It is made if there is none.
    public
        Let everybody see it. An atlas holds passages of the texts that it was measured on.
    """
    from attlas.site.pushing import push_atlas

    return push_atlas(atlas, repository, public)
