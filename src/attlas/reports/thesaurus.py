"""People's words for what Attlas measures, as a thesaurus has them: each list is one string, with commas."""

#: term -> title, study, words
PLAIN: dict[str, tuple[str, str, str]] = {
    "previous": (
        "the previous token",
        "surface",
        "position before, just word before, just token before, "
        "last token, backward by one, i 1, look back, prior, previous, previous "
        "token, previous word, word before, token before, preceding, left neighbour, one back, offset "
        "-1, left, to left, leftward, shift left, shift left by one, word to left, prev, one step "
        "back, step back, back one, backward, immediately before, directly before, just before, right "
        "before, one before, predecessor, token behind, word behind, adjacent left, minus one, offset "
        "minus one, last word, one earlier, earlier by one, exactly one back, one token back, token "
        "back, positional",
    ),
    "next": (
        "the next token",
        "surface",
        "future, lookahead, look ahead, just word after, just token after, "
        "forward by one, position after, upcoming, next, next token, next "
        "word, word after, token after, following, right neighbour, one ahead, right, to right, "
        "rightward, shift right, subsequent, immediately after, directly after, just "
        "after, right after, token right after, one step ahead, forward, come after, ahead, peek, "
        "plus one, offset plus one, one later, upcoming word, positional",
    ),
    "self": (
        "the token itself",
        "surface",
        "own position, own, identity, current token, self, itself, token itself, own token, same "
        "position, own word, current word, current position, same place, self attention on itself, "
        "own index, themselves, oneself, own spot, same spot, stay put",
    ),
    "first": (
        "the first token",
        "surface",
        "begin, beginning, start, start of text, initial token, begin sequence, park, no op, first, "
        "first token, sink, attention sink, beginning of text, bos, rest on first, waste, start "
        "token, start of sentence, sequence start, text start, bos token, position 0, position zero, "
        "idle, nothing, do nothing, resting, null attention, first position, opening token, front, initial, "
        "opening, beginning of sequence, beginning of sentence, zeroth, very first token",
    ),
    "near": (
        "the tokens before, up to a few",
        "surface",
        "near, nearby, nearby token, few token, within few token, close, stay within few token, "
        "neighbour, local, short range, short span, short distance, vicinity, adjacent, "
        "neighbourhood, neighborhood, neighbor, short sight, proximity, local context, locally, "
        "neighbour only, immediate neighbour",
    ),
    "far": (
        "how many tokens away",
        "surface",
        "further, furthest, further back, far, far away, far back, farthest, farther, long range, long "
        "distance, distant, long span, "
        "distance, how far, remote, long way, average distance, mean distance, average length, reach far",
    ),
    "sep": (
        "[SEP]",
        "surface",
        "end segment, end of segment, end segment token, sep, separator, sep token, separator token, "
        "end of sentence, eos, end token, end mark, sentence boundary, boundary, segment boundary",
    ),
    "cls": (
        "[CLS]",
        "surface",
        "summary token, pooled token, cls, classification token, cls token, start classification "
        "token, sentence embedding token",
    ),
    "punct": (
        "periods and commas",
        "surface",
        "dot, semicolon, punctuation, period, comma, full stop, period comma, punct, punctuation "
        "mark, comma and period, stop mark, dot and comma, exclamation mark, question mark",
    ),
    "broad": (
        "broad attention",
        "surface",
        "nothing particular, nowhere particular, "
        "average, confused, distracted, everything, everywhere, over everything, flat, broad, broadest, "
        "diffuse, "
        "spread, spread out, spread evenly, even, evenly, uniform, unfocused, high entropy, entropy, "
        "widest, wide, dispersed, scattered, blurry, blurred, vague, equal, equally, equal weight, "
        "all token equally, whole context, all position, max entropy, maximum entropy, highest "
        "entropy, largest entropy, smear, high uncertainty, uncertain, unsure, undecided, whole "
        "input, entire input, entire text, all over, diluted, indiscriminate, smooth, general",
    ),
    "focused": (
        "focused attention",
        "surface",
        "concentrated, single token, one token, picky, focused, focus, sharp, sharpest, narrow, "
        "narrowest, peaked, low entropy, sparse, confident, lowest entropy, min entropy, minimum "
        "entropy, smallest entropy, one hot, spiky, peaky, pointed, decisive, precise, just word, "
        "just token, single word, hard attention, selective, pinpoint, zoom, certain, certainty, "
        "sure, definite, exact, crisp, tight, lock on, pick out, zero in",
    ),
    "largest": ("the largest weight", "surface", "largest weight, maximum weight, strongest weight"),
    "rest": (
        "what does not fall on the first token",
        "surface",
        "rest, apart from first token, without sink, beside sink",
    ),
    "received": (
        "attention received",
        "surface",
        "receive, received, attended to by, gets, popular, most attended, attract, attractor",
    ),
    "gradient": (
        "the gradient of the loss",
        "surface",
        "gradient, sensitivity, derivative, saliency, attribution, influence on loss gradient",
    ),
    "unlike": (
        "heads unlike the others",
        "surface",
        "unlike, different, unusual, outlier, distinct, odd, far apart, unique, weird, strange, "
        "loner, stand out, special, apart from rest of model, specialised, specialized",
    ),
    "alike": (
        "heads like the others",
        "surface",
        "alike, similar, redundant, same as other, duplicate head, resemble, twin, clone, near "
        "identical, interchangeable",
    ),
    "important": (
        "heads that matter",
        "disable",
        "useful, ablated, ablating, essential, vital, critical, most needed, damage, increase loss, "
        "important, matter, need, "
        "needed, crucial, hurt, hurt loss, disable, ablate, ablation, knock out, without, effect on "
        "loss, effect, loss, rely, indispensable, load bearing, break, worst when remove, necessary, "
        "impact, influence, contribute, contribution, significant, depend on most, key, big drop, "
        "performance drop, lose most, harm, worse, costly, biggest effect, biggest impact, largest "
        "effect, core, kill, silence, needed most",
    ),
    "needless": (
        "heads that can go",
        "disable",
        "nothing, prunable, dispensable, redundant, removable, least important, needless, useless, "
        "unimportant, prune, remove, removed, can go, superfluous, unnecessary, drop, no effect, "
        "harmless, safe to remove, delete, cut, throw away, skip, spare, not need, not matter, "
        "unneeded, turn off, switch off, disposable, expendable, dead, do little, dead weight, "
        "without loss, can remove, can be removed, free to remove",
    ),
    "coreference": (
        "coreference",
        "coreference",
        "refer, reference, referent, he she it, coreference, coref, antecedent, pronoun, mention, "
        "anaphora, resolve, who is meant, entity, gender, gap, refer back, pronoun resolution, same "
        "person, same entity, point back to name",
    ),
    "frames": (
        "frames",
        "frames",
        "frame, frame element, semantic role, framenet, semantic frame, agent and patient role, "
        "predicate argument",
    ),
    "features": (
        "attention to nouns, verbs and other kinds of word",
        "features",
        "verb, noun, adjective word, number, date, people, name of people, person, place name, named "
        "entity, negation, feature, part of speech, pos, content word, word class, word type, kind of "
        "word, "
        "lexical class",
    ),
    "trees": (
        "parse trees",
        "tree",
        "tree, parse tree, parse, constituency, tree distance, syntax tree, tree structure, "
        "dependency tree, constituent",
    ),
    "programs": (
        "what each head does, as a sum of programs",
        "explain",
        "program, readable program, explained by program, unexplained, explained worst, worst explained, "
        "best explained, no explanation, rule, algorithm, formula",
    ),
    "writes": (
        "how much each head writes, and which tokens that raises",
        "writes",
        "write, writes, write most, direct logit attribution, logit attribution, dla, residual stream, "
        "correct prediction, right prediction, wrong prediction, negative contribution, logit, boost, "
        "push up, push down, output vector",
    ),
    "changed": (
        "what changed beside another model",
        "compare",
        "before and after, fine tuned, adapt, change, changed, fine tuning, finetuning, fine tune, "
        "training change, before after, differ between model, training, after training, before "
        "training, beside base model, finetune, finetuned, updated",
    ),
}

#: pattern -> words
PATTERN_WORDS: dict[str, str] = {
    "related": (
        "related, related token, related word, same or related, same or related word, similar word, "
        "synonym, semantically similar, related meaning, similar meaning"
    ),
    "other_sentence": (
        "other sentence, across sentence, word of other sentence, second sentence, between sentence, "
        "cross sentence, paired sentence"
    ),
    "predictive": (
        "predictive, predict, mask word, predict mask word, tokens that matter, cloze, fill in blank, "
        "guess mask word"
    ),
    "delimiter": "delimiter, special token, separator, separator token, special symbol, boundary token",
    "bag": (
        "bag, bag word, own sentence, whole sentence, within sentence, same sentence, sentence "
        "average, sentence content, mix, mix word, blend, aggregate, pool, combine, all word in "
        "sentence, word in sentence"
    ),
    "local": (
        "decay, decay distance, distance decay, fall with distance, less farther away, falloff, fall "
        "off, fade with distance, weaker with distance, far token less, reach, "
        "local, local window, window, around, surrounding, near, nearby, nearby token, few token, "
        "within few token, stay within few token, neighbour, close, short span, short distance, "
        "vicinity, adjacent, neighbourhood, neighborhood, neighbor, proximity, local context, "
        "locally, neighbour only, immediate neighbour"
    ),
    "duplicate": (
        "duplicate, repeat, repetition, repeat token, repeat word, same token, same word, earlier "
        "occurrence, earlier occurrence same word, identical, duplicate token, previous copy, "
        "previous occurrence, earlier mention, seen before, occur before, already occur, recur, "
        "reoccur, same token earlier, copy of same token, earlier repeat, appear before, appear "
        "earlier, same word earlier, earlier in text, double, second occurrence"
    ),
    "induction": (
        "induction, copy what after, what after last time, after last time, in context learning, "
        "repeat sequence, pattern completion, complete, completion, complete pattern, continue "
        "pattern, continue sequence, copy from context, in context, icl, repeat pattern, pattern "
        "match, abab, continue repeat sequence, continue, copy pattern"
    ),
    "induction_text": "induction text, induction in text",
    "long_induction": "long induction, long range copy, repeat far back",
    "retrieval": (
        "retrieval, retrieve, needle, needle in haystack, quote, answer question, fetch, look up, "
        "lookup, find fact in context, long context"
    ),
    "query_focus": "query focus, query focused retrieval, question to answer, look from question, qr head",
    "successor": "successor, successor head, increment, next in order, next number, next day, count up",
    "copy_suppression": (
        "copy suppression, negative copy, negative copying, anti copy, suppress copy, suppress repetition, "
        "lower token, negative head"
    ),
    "function_vector": "function vector, function vector head, task vector, few shot, example of task",
    "succession": "succession, succession score, successor by weights, ov successor, next by weights",
    "copying": "copy, copying, raise token, what it write, output copy, promote token, ov copy",
}

#: shape -> words
SHAPE_WORDS: dict[str, str] = {
    "vertical": "vertical, vertical stripe, stripe, column, vertical line, vertical bar, bar, column shape",
    "diagonal": "diagonal, diagonal map, diagonal line, diagonal stripe, slant, band",
    "vertical+diagonal": "vertical diagonal, vertical and diagonal",
    "block": "block, block shape, square, chunk, square block, box",
    "heterogeneous": "heterogeneous, mixed, irregular, messy, no clear shape, unstructured, complex shape",
}

#: relation -> words beside those that `attlas.wording.vocabulary` has
RELATION_WORDS: dict[str, str] = {
    "nsubj": "grammatical subject, doer, subject noun, who do action, perform, performer, perform action",
    "obj": "verb object, thing verb take, object noun, what verb act on, affected, undergo",
    "syntax": (
        "parser, grammatical, grammatical relation, sentence structure, syntactic structure, "
        "linguistic, linguistics, dependency parse"
    ),
    "compound": (
        "multi word noun, multi word, multiword noun, two noun, noun noun, noun stack, noun noun compound"
    ),
    "amod": "describe word, descriptive word, description, adjectival",
    "case": "preposition object, prepositional noun",
    "conj": "enumeration, enumerate, join, list of thing, coordinate, coordinate word, parallel item",
    "mark": (
        "subordinate, subordinating word, connective, introduce clause, clause opener, if clause, "
        "because clause"
    ),
    "aux": "help verb, verb helper, tense verb",
    "cop": "be verb, form of be verb, equate, link verb",
    "det": "determin, article noun",
    "nummod": "digit, numeric, count word, amount, how many",
    "nmod:poss": "possessive pronoun, ownership, possess",
    "poss": "possessive pronoun, ownership, possess",
    "flat": "first and last name, surname, person name",
    "acl:relcl": "relative pronoun",
    "compound:prt": "verb and particle",
    "advmod": "adverbial word, manner word, how thing is done",
    "obl": "where and when thing happen, place or time of verb",
}

#: term -> words that are themselves examples of it, as in: words like "because"
EXAMPLES: dict[str, str] = {
    "det": "the an this every each",
    "aux": "will would can could may might shall should must have has had do does did",
    "cop": "is are was were be am been being",
    "mark": "because if while whether although though since unless that",
    "case": "in on at of to with by from for about into over under",
    "cc": "and or but nor",
    "conj": "and or",
    "nmod:poss": "my your his her its our their",
    "poss": "my your his her its our their",
    "advmod": "very not never also always often quickly",
    "coreference": "he she it they him her them",
}

#: terms that are each other's opposites: the least focused head is the broadest
OPPOSITES = (("broad", "focused"), ("important", "needless"), ("near", "far"), ("alike", "unlike"))
#: words that turn what follows into its opposite
TURNS = ("least", "less", "not", "no", "hardly", "little")
