"""Your BertViz notebook, one import changed.

`head_view` takes what BertViz takes. The view is a page of its own and works offline.
"""

from transformers import AutoModel, AutoTokenizer

import attlas
from attlas.views import head_view  # was: from bertviz import head_view

folder = f"{attlas.__path__[0]}/data/mini"
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModel.from_pretrained(folder, attn_implementation="eager")
inputs = tokenizer("The rabbit hopped.", "The turtle crawled.", return_tensors="pt")
attention = model(**inputs, output_attentions=True).attentions
tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
shown = head_view(attention, tokens, tokens.index("[SEP]") + 1, layer=6, heads=[1, 8])
shown.figure("picture.png")
