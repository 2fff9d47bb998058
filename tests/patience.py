"""How long tests wait for what must come: they wait for events, and this bound is for what never comes. A
machine with a load of 30 on two cores draws a page in half a minute."""

PATIENCE = 120  # seconds
