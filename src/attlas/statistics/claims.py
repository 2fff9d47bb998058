"""What a claim about heads needs: how sure it must be, and the smallest size that matters of each kind."""

SURE = 0.05  # a claim needs a p below this, corrected for all tests of its table

#: of a head's attention: a smaller share is not mentioned; one above half is most of what the head does
MENTIONED_SHARE, HALF_OF_ATTENTION = 0.2, 0.5
#: of the way from chance to a perfect score: a head that follows a pattern less is not named for it
PATTERN_STRENGTH = 0.2
#: where no single head has a perfect score: it is that of the whole model's answer, or of all its attention
PATTERN_STRENGTHS = {"function_vector": 0.05, "query_focus": 0.05}
#: of what a head is worth to the loss: a name that surely restores more accounts for the head
NAME_HOLDS = 0.5
#: a change between two models, of a share or in nats
LARGE_CHANGE = 0.05
#: a head rests by weight with more of its weight than this on the first token and separators, and by output
#: when it writes less than this share of what its layer's heads write on average
RESTS_BY_WEIGHT, RESTS_BY_OUTPUT = 0.5, 0.5
#: times the median entry of the stream: what is called massive
MASSIVE = 100


def least_strength(pattern: str) -> float:
    """Return how strongly a head must follow a pattern to be named for it."""
    return PATTERN_STRENGTHS.get(pattern, PATTERN_STRENGTH)
