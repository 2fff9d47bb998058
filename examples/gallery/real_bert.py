"""Attention that you computed elsewhere.

BERT-base's own weights for Vig's two sentences, from a file: no model is loaded.
"""

import numpy as np

import attlas

with np.load("bert-base-uncased_store_strawberries.npz") as file:  # layer head query key
    attention = file["attn"]
first, second = "i went to the store .", "at the store , i bought fresh straw ##berries ."
tokens = ["[CLS]", *first.split(), "[SEP]", *second.split(), "[SEP]"]
attlas.view(list(attention), tokens, sentence_b_start=8, layer=10, heads=[10]).figure("picture.png")
