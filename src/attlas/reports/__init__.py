"""Everything about every head, in one place: the page of `attlas report`, the cards, the finder and `ask`."""
