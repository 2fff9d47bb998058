"""Several hundred bad inputs, over every command, every kind of file that is read, and the Python API: each
must end in one clear line.

A command must end with status 1, one line on stderr that begins with `attlas: `, and nothing on stdout; a
call, with an AttlasError of one line. Neither may speak of what only we know (a class of Python's errors,
"this should not happen"). `pytest tests/test_bad_input.py -k gguf` tries those that have `gguf` in them.

All run in one process, one after the other: what a command leaves there (signal handlers, the environment,
the working folder) is put back after it.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import re
import shlex
import shutil
import signal
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

#: what only a programmer of Attlas could make sense of
NONSENSE = re.compile(
    r"should not happen|Traceback|object has no attribute|\w+Error\b|is not subscriptable|NoneType object|"
    r"<class|takes \d+ positional|unhashable|not iterable|0x[0-9a-f]{8}|\bno model\b"
)

# the terminal

#: {f} is a folder of good and bad files, made by `make_files`
COMMANDS = r"""
paint
map --colour red
map mini mini
map --segments
map --segments 0
map --segments -3
map --segments 1.5
map --segments many
map --segments 99999999999999999999999
map --length 0
map --length 3
map --length 513
map --length 1e9
map --length 99999999999999999999
map --sample -1
map --sample half
map --seed -1
map --seed 4294967296
map --seed pi
map --batch 0
map --batch -2
map --shard 0
map --kernel magic
map --kernel triton --device cpu --no-such
map --engine spark
map --engine local --workers 2
map --workers 0
map --workers -1
map --workers two
map --address here
map --engine processes --address here
map --device abacus
map --device cuda:99
map --device meta
map --device ""
map --dtype int4
map --dtype float64x
map --offsets 128
map --offsets=-128
map --offsets x
map --classes.cls x
map --classes.mine notatokenofthisvocabulary
map --classes.1a the
map --classes.mine ""
map --resume --overwrite
map --atlas /proc/nowhere/a.attlas
map --atlas {f}/words.txt
map --atlas {f}/words.txt/a
map --atlas {f}/thesis --overwrite
map --atlas ""
map --chapter "" --atlas {f}/new
map --chapter a/b --atlas {f}/new
map --chapter ../x --atlas {f}/new
map --atlas {f}/atlas --chapter taken
map --text ""
map --text {f}/none.txt
map --text {f}/empty.txt
map --text {f}/blank.txt
map --text {f}/latin.txt --strict
map --text {f}/latin.txt
map --text {f}/thesis
map --text {f}/binary.txt
map --text {f}/nul.txt
map --text {f}/broken.gz
map --text {f}/broken.xz
map --text {f}/broken.zst
map --text {f}/cut.txt.gz
map --text {f}/bad.jsonl
map --text {f}/list.jsonl
map --text {f}/numbers.jsonl
map --text {f}/words.jsonl --field nothing
map --text {f}/words.txt --field text
map --text {f}/bad.parquet
map --text {f}/other.parquet
map --text {f}/numbers.parquet
map --text {f}/*.none
map --text s4://bucket/key
map --text http://
map --text {f}/page.html
map --text {f}/words.pdf
map nobody/nothing
map nobody/nothing/more
map ../none
map {f}/none
map {f}
map {f}/words.txt
map {f}/no_config
map {f}/config_list
map {f}/config_broken
map {f}/config_deep
map {f}/config_empty
map {f}/no_weights
map {f}/cut_weights
map {f}/weights_text
map {f}/other_layers
map {f}/other_width
map {f}/other_class
map {f}/unknown_type
map {f}/no_heads
map {f}/odd_function
map {f}/broken_tokenizer
map {f}/no_tokenizer
map {f}/code
map {f}/pickle
map {f}/pickle_text
map {f}/only_h5
map {f}/model/model.safetensors
map {f}/none.gguf
map {f}/zip.gguf
map {f}/cut.gguf
map {f}/ggufs
map {f}/none.npz
map {f}/broken.npz
map {f}/other.npz
map {f}/no_tokens.npz
map {f}/few_tokens.npz
map {f}/number_tokens.npz
map {f}/scores.npz
map {f}/nan.npz
map {f}/flat.npz
map {f}/objects.npz
map {f}/empty.npz
map {f}/two_models.npz
map {f}/good.npz --text {f}/words.txt
map {f}/broken.safetensors
map {f}/other.safetensors
map {f}/no_tokens.safetensors
map {f}/bad_tokens.safetensors
plan --tokens 0
plan --tokens -1
plan --tokens nan
plan --tokens inf
plan --tokens 1e300
plan --tokens many
plan --gpus 0
plan --gpus 1.5
plan --cores 0
plan --length 2
plan --shard 0
plan nobody/nothing
plan --text {f}/none.txt
show
show {f}/none
show {f}
show {f}/words.txt
show ""
show {f}/atlas --head 12.0
show {f}/atlas --head 7-9
show {f}/atlas --head 7
show {f}/atlas --head ""
show {f}/atlas --head cross.1.1
show {f}/atlas --head -1.0
show {f}/atlas --head 99999999999999999999.1
show {f}/atlas --chapter none
show {f}/atlas --head 0.0 --provenance
show {f}/atlas --head 0.0 --chapter none
show {f}/atlas_newer
show {f}/atlas_old
show {f}/atlas_manifest_list
show {f}/atlas_manifest_broken
show {f}/atlas_manifest_deep
show {f}/atlas_manifest_empty
show {f}/atlas_no_heads
show {f}/atlas_cut_heads
show {f}/atlas_flipped_arrays
show {f}/atlas_flipped_examples
show {f}/atlas_forged
show {f}/atlas.part
draw {f}/none
draw {f}/atlas --formats gif
draw {f}/atlas --formats ""
draw {f}/atlas --figures {f}/words.txt
draw {f}/atlas --figures /proc/nowhere
draw {f}/atlas --chapter none
draw {f}/atlas_cut_heads
view
view mini
view mini ""
view mini "   "
view mini --file {f}/none.txt
view mini --file {f}/latin.txt
view mini --file {f}/empty.txt
view mini --file {f}
view mini word --file {f}/words.txt
view mini word --page /
view mini word --page {f}/words.txt/x.html
view mini word --figure {f}/x.gif
view mini word --figure {f}/x
view mini word --kind painting
view mini word --layer 99 --page {f}/x.html
view mini word --layer -1 --page {f}/x.html
view mini word --heads 99 --page {f}/x.html
view mini word --include-layers 99 --page {f}/x.html
view mini word --include-heads 99 --page {f}/x.html
view mini word --attention cross --page {f}/x.html
view mini word --theme pink
view mini word --threshold high
view mini word --threshold nan --page {f}/x.html
view mini word --order nothing --page {f}/x.html
view mini word --label nothing --page {f}/x.html
view mini word --asked 0 --page {f}/x.html
view mini word --asked 0 99 --page {f}/x.html
view mini word --pinned query 99 --page {f}/x.html
view mini word --generate -1 --page {f}/x.html
view mini word --generate 3 --page {f}/x.html
view mini word --generate 99999 --page {f}/x.html
view mini word --kind neuron --device meta --page {f}/x.html
view mini word --kind image --page {f}/x.html
view mini {f}/picture.png --page {f}/x.html
view mini word --atlas {f}/none --page {f}/x.html
view mini word --atlas {f}/words.txt --page {f}/x.html
view {f}/atlas --page {f}/x.html
view {f}/atlas word --page {f}/x.html
view {f}/good.npz 7 --page {f}/x.html
view {f}/good.npz first --page {f}/x.html
view {f}/scores.npz --page {f}/x.html
view {f}/none.npz --page {f}/x.html
view nobody/nothing word
view {f}/none word
view {f}/no_tokenizer word --page {f}/x.html
patch mini nothing
patch mini {f}/none.jsonl
patch mini {f}/empty.txt
patch mini {f}
patch mini {f}/latin.txt
patch mini {f}/binary.txt
patch mini {f}/bad.jsonl
patch mini {f}/list.jsonl
patch mini {f}/words.jsonl
patch mini agreement --count 0
patch mini agreement --seed -1
patch mini agreement --kernel magic
patch mini agreement --resume
patch {f}/good.npz agreement
patch nobody/nothing agreement
probe nothing
probe dependencies mini {f}/none.conllu
probe dependencies mini {f}/empty.conllu
probe dependencies mini {f}/columns.conllu --strict
probe dependencies mini {f}/columns.conllu
probe dependencies mini {f}/cycle.conllu --strict
probe dependencies mini {f}/heads.conllu --strict
probe dependencies mini {f}/latin.conllu --strict
probe dependencies mini {f}/words.txt
probe dependencies mini {f}/thesis
probe dependencies mini {f}/good.conllu --length 2
probe dependencies mini {f}/good.conllu --length 0
probe dependencies mini {f}/good.conllu --length 9999
probe dependencies mini {f}/good.conllu --shortest 0
probe dependencies mini {f}/good.conllu --shortest 9 --longest 3
probe dependencies mini {f}/good.conllu --longest 0
probe dependencies mini {f}/good.conllu --min-count 0
probe dependencies mini {f}/good.conllu --min-count 9999999
probe dependencies mini {f}/good.conllu --format tsv
probe dependencies mini {f}/good.conllu --pipeline none_such
probe dependencies mini {f}/good.conllu --input words2
probe dependencies mini {f}/good.conllu --pieces sum
probe dependencies mini {f}/good.conllu --seed -1
probe dependencies mini {f}/good.conllu --choose-on {f}/good.conllu
probe dependencies mini {f}/good.conllu --choose-on {f}/none.conllu
probe dependencies mini {f}/good.conllu --resume
probe dependencies mini {f}/good.conllu --overwrite
probe dependencies mini {f}/good.conllu --chapter mine
probe dependencies mini {f}/good.conllu --resume --overwrite --atlas {f}/new
probe dependencies mini {f}/good.conllu --csv /
probe dependencies mini {f}/good.conllu --csv {f}/words.txt/x.csv
probe dependencies mini {f}/good.conllu --figures {f}/words.txt
probe dependencies mini {f}/good.conllu --atlas {f}/words.txt
probe dependencies mini {f}/good.conllu --atlas {f}/thesis
probe dependencies mini {f}/good.conllu --atlas {f}/atlas_cut_heads
probe dependencies mini {f}/good.conllu --workers 0
probe dependencies mini {f}/good.conllu --engine spark
probe dependencies mini {f}/good.conllu --device abacus
probe dependencies nobody/nothing
probe dependencies {f}/no_tokenizer {f}/good.conllu
probe dependencies {f}/good.npz {f}/good.conllu
probe coreference
probe coreference mini
probe coreference mini {f}/none.conllu
probe coreference mini {f}/good.conllu
probe coreference mini {f}/bad_gap.tsv --format gap
probe coreference mini {f}/empty.tsv --format gap
probe coreference mini {f}/good.conllu --candidates verbs
probe coreference mini {f}/good.conllu --format nothing
probe coreference mini {f}/words.txt --format conll2012
probe coreference mini {f}/good.conllu --overwrite
probe frames
probe frames mini
probe frames mini {f}/none
probe frames mini {f}/thesis
probe frames mini {f}/words.txt
probe frames mini {f}/frames_broken
probe frames mini {f}/thesis --length 0
probe frames mini {f}/thesis --chapter mine
probe features mini {f}/none.conllu
probe features mini {f}/words.txt
probe features mini {f}/words.txt --pipeline none_such
probe features mini {f}/good.conllu --length 1
probe features mini {f}/good.conllu --overwrite
probe tree mini {f}/none.conllu
probe tree mini {f}/good.conllu --word-vectors {f}/none.txt
probe tree mini {f}/good.conllu --word-vectors {f}/binary.txt
probe tree mini {f}/good.conllu --word-vectors {f}/words.txt
probe tree mini {f}/good.conllu --word-vectors {f}/ragged.glove
probe tree mini {f}/good.conllu --probes telepathy
probe tree mini {f}/good.conllu --probes ""
probe tree mini {f}/good.conllu --seeds 0
probe tree mini {f}/good.conllu --epochs 0
probe tree mini {f}/good.conllu --rank 0
probe tree mini {f}/good.conllu --parse "A text."
probe tree mini {f}/good.conllu --parse "A text." --trained {f}/thesis
probe tree mini {f}/good.conllu --parse ""
probe tree mini {f}/good.conllu --trained {f}/words.txt
probe tree mini {f}/good.conllu --overwrite
disable {f}/model --heads 2.0
disable {f}/model --heads "layer 9"
disable {f}/model --heads ","
disable {f}/model --heads "*.0"
disable {f}/model --edit mangle
disable {f}/model --length 4
disable {f}/model --segments nan
disable {f}/model --segments 1 --length 16 --edit shuffle
disable {f}/model --text {f}/latin.txt
disable {f}/model --text {f}/nul.txt
disable {f}/model RTE
disable {f}/model RTE --data {f}/glue
disable {f}/model --data {f}/glue
disable {f}/model --metric ""
disable {f}/classifier RTE --data {f}/glue --metric f9
disable {f}/classifier RTE --data {f}/glue --text {f}/words.txt
disable {f}/classifier STS-B --data {f}/glue
disable {f}/classifier RTE --data {f}/glue_missing
disable {f}/classifier RTE --data {f}/glue_other_labels
disable {f}/classifier RTE --data {f}/glue_ragged
disable {f}/classifier mine --data {f}/deep.jsonl --columns a
disable {f}/classifier mine --data {f}/list.jsonl --columns a
disable {f}/classifier mine --data {f}/odd.jsonl --columns half
disable {f}/classifier mine --data {f}/odd.jsonl --columns list
disable {f}/classifier mine --data {f}/odd.jsonl --columns a --label none
disable {f}/classifier mine --data {f}/odd.jsonl --columns a --label nan
disable {f}/classifier "" --data {f}/odd.jsonl --columns a
disable {f}/not_numbers --segments 2 --length 16
disable {f}/good.npz
disable {f}/cut_weights
prune {f}/model --orders magic
prune {f}/model --random-orders -1
prune {f}/model --random-orders 100000000
prune {f}/model --steps 0
prune {f}/model --keep 0.5
prune {f}/model --keep nan --save {f}/smaller
prune {f}/model --keep 0.5 --save {f}/thesis
prune {f}/model --keep 0.5 --save /proc/x
prune {f}/both --keep 0.5 --save {f}/smaller
prune {f}/model --segments 1 --length 16
prune {f}/model --figures {f}/words.txt
compare {f}/model
compare {f}/model {f}/decoder
compare {f}/model {f}/model --segments 0
compare {f}/model {f}/model --segments few
compare {f}/model {f}/model --task RTE
compare {f}/model {f}/model --columns a
compare {f}/model {f}/model --data {f}/glue
compare {f}/model {f}/model --text {f}/words.txt --data {f}/glue
compare {f}/model {f}/model --faithful
compare {f}/model {f}/model --atlases {f}/patterns
compare {f}/model {f}/model --atlases {f}/atlas {f}/atlas
compare {f}/model {f}/not_numbers --segments 2 --length 16
compare {f}/model {f}/model --page {f}
compare {f}/good.npz {f}/good.npz --data {f}/glue --task RTE
disable {f}/model --text repeated --length 6
disable {f}/model --text repeated --field text
prune {f}/model --text repeated --segments all
probe dependencies {f}/model --windows 0
finetune {f}/model
finetune {f}/model NONE --data {f}/glue
finetune {f}/model RTE --data {f}/none
finetune {f}/model RTE --data {f}/glue --epochs nan
finetune {f}/model RTE --data {f}/glue --learning-rate -1
finetune {f}/model RTE --data {f}/glue --weight-decay nan
finetune {f}/model RTE --data {f}/glue --length 2
finetune {f}/model RTE --data {f}/glue --save {f}/thesis --overwrite
finetune {f}/model RTE --data {f}/glue/RTE/train.tsv
finetune {f}/both RTE --data {f}/glue --length 16
finetune {f}/not_numbers RTE --data {f}/glue --epochs 1 --length 16 --save {f}/tuned --overwrite
finetune {f}/good.npz RTE --data {f}/glue
patterns {f}/model --repeated 0
patterns {f}/model --repeated 99999999999999999999
patterns {f}/model --needles 64
patterns {f}/decoder --needles 1
patterns {f}/decoder --needles 99999
patterns {f}/model --word-vectors {f}/none.txt
patterns {f}/model --word-vectors {f}
patterns {f}/model --word-vectors {f}/ragged.glove
patterns {f}/model --word-vectors {f}/large.glove --segments 2 --length 16
patterns {f}/model --atlas {f}/words.txt
patterns {f}/model --chapter mine
patterns {f}/not_numbers --segments 2 --length 16
patterns {f}/good.npz
map {f}/good.npz --field text
show {f}/patterns --pattern nothing
show {f}/atlas --pattern induction
show {f}/patterns --pattern induction --head 0.0
draw {f}/patterns --head 9.9
draw {f}/atlas --head 0.0
draw {f}/patterns --head 0.0 --figures {f}/words.txt
report {f}/patterns --view {f}/none.html
report {f}/patterns --view {f}/words.txt
report {f}/patterns --page /
report {f}/patterns --headvis {f}/x
view mini --file {f}/nul.txt
view {f}/not_numbers word --page {f}/x.html
probe tree {f}/cut_weights {f}/trees.conllu
probe tree {f}/model {f}/trees.conllu --word-vectors {f}/large.glove
probe tree {f}/good.npz {f}/trees.conllu
"""

# Python

#: evaluated with the names that `_names` gives
CALLS = r"""
attlas.load(5)
attlas.load(None)
attlas.load("")
attlas.load([])
attlas.load(torch.nn.Linear(2, 2))
attlas.load("mini", dtype=torch.float32)
attlas.load("mini", dtype=None)
attlas.load("mini", device=5)
attlas.load(b"mini")
attlas.load("mini\0")
attlas.map(None)
attlas.map(5)
attlas.map({"model": "mini"})
attlas.map(subject, workers=1.5, atlas=f / "o")
attlas.map(subject, segments=None, atlas=f / "o")
attlas.map(subject, length=None, atlas=f / "o")
attlas.map(subject, sample=None, atlas=f / "o")
attlas.map(subject, seed=None, atlas=f / "o")
attlas.map(subject, seed=0.5, atlas=f / "o")
attlas.map(subject, offsets=2, atlas=f / "o")
attlas.map(subject, offsets="2", atlas=f / "o")
attlas.map(subject, offsets=[0.5], atlas=f / "o")
attlas.map(subject, classes=["the"], atlas=f / "o")
attlas.map(subject, classes={"mine": 5}, atlas=f / "o")
attlas.map(subject, classes={5: ["the"]}, atlas=f / "o")
attlas.map(subject, classes={"mine": [5]}, atlas=f / "o")
attlas.map(subject, classes={"mine": []}, atlas=f / "o")
attlas.map(subject, classes="the", atlas=f / "o")
attlas.map(subject, text=5, atlas=f / "o")
attlas.map(subject, text=[1, 2], atlas=f / "o")
attlas.map(subject, text={}, atlas=f / "o")
attlas.map(subject, text=b"bytes", atlas=f / "o")
attlas.map(subject, text=pd.DataFrame({"text": ["a"]}), atlas=f / "o")
attlas.map(subject, text=f / "none.txt", atlas=f / "o")
attlas.map(subject, field=5, atlas=f / "o")
attlas.map(subject, atlas=5)
attlas.map(subject, atlas="")
attlas.map(subject, atlas="a\0b")
attlas.map(subject, chapter=5, atlas=f / "o")
attlas.map(subject, kernel=5, atlas=f / "o")
attlas.map(subject, engine="dask", atlas=f / "o")
attlas.map(subject, engine=5, atlas=f / "o")
attlas.map(subject, progress=None, atlas=f / "o")
attlas.map(torch.nn.Linear(2, 2), atlas=f / "o")
attlas.map(bare, atlas=f / "o")
attlas.plan(subject, tokens=None)
attlas.plan(subject, tokens=float("nan"))
attlas.plan(subject, cores=0.5)
attlas.show(None)
attlas.show(5)
attlas.show("")
attlas.show(atlas, head=7)
attlas.show(atlas, head=["0.0"])
attlas.show(atlas, chapter=5)
attlas.draw(None)
attlas.draw(atlas, figures=5)
attlas.draw(atlas, formats="svg", figures=f / "o")
attlas.draw(atlas, formats=5, figures=f / "o")
attlas.draw(atlas, formats=[5], figures=f / "o")
attlas.draw(atlas, formats=[], figures=f / "o")
attlas.load_atlas(None)
attlas.load_atlas(5)
attlas.load_atlas("")
attlas.load_atlas(f)
atlas.grid("nothing")
atlas.grid(None)
atlas.grid("to_class")
atlas.grid("to_class", "none")
atlas.grid("to_next", kind="cross")
atlas.grid("to_next", column="nothing")
atlas.grid("to_next", chapter="none")
atlas.grid(["to_next"])
atlas.head(None)
atlas.head(7)
atlas.head((7,))
atlas.head((7, 99))
atlas.head("x")
atlas.head(Head("cross", 0, 0))
atlas.about("none")
atlas.table("none")
atlas.table(None)
atlas.overview("none")
atlas.names("pattern", chapter="none")
atlas.array("x", chapter="none")
attlas.edit.uniform(None)
attlas.edit.uniform(5)
attlas.edit.uniform([5])
attlas.Tap(subject, edits=[attlas.edit.uniform(["99.0"])])
attlas.Tap(subject, edits=[attlas.edit.uniform(["x"])])
attlas.Tap(subject, edits=[attlas.edit.uniform([])])
attlas.Tap(subject, edits=["7.9"])
attlas.Tap(subject, edits=attlas.edit.uniform(["0.0"]))
attlas.Tap(subject, edits=[attlas.edit.mean(["0.0"], {})]).__enter__().run(batch)
attlas.Tap(subject, edits=[attlas.edit.by_row([None, None])]).__enter__().run(batch)
attlas.Tap(subject, kernel="magic")
attlas.Tap(subject, kernel=5)
attlas.Tap("mini")
attlas.Tap(None)
attlas.Tap(subject, ["entropy"])
attlas.Tap(subject).__enter__().run("a text")
attlas.Tap(subject).__enter__().run(None)
attlas.Tap(subject).run(batch)
subject.encode("a \udc80 text")
attlas.edit.effect(subject, "7.9", batch)
attlas.edit.effect(subject, attlas.edit.uniform("0.0"), "a text")
attlas.edit.mean(["0.0"], None)
attlas.edit.by_row(None)
attlas.edit.by_row(["0.0"])
subject.encode(None)
subject.encode("")
subject.encode(5)
subject.encode(["a", "b"])
subject.encode("a", 5)
subject.encode("word " * 2000)
attlas.view(None)
attlas.view("mini")
attlas.view("mini", 5)
attlas.view("mini", None)
attlas.view("mini", "a text", colour="red")
attlas.view("mini", "a text", kind="painting")
attlas.view("mini", "a text", layer="first")
attlas.view("mini", "a text", layer=99)
attlas.view("mini", "a text", heads=5)
attlas.view("mini", "a text", page=5)
attlas.view("mini", "a text", figure="x.gif")
attlas.view("mini", "a text", generate="3")
attlas.view("mini", "a text", threshold="high")
attlas.view("mini", "a text", atlas=5)
attlas.view("mini", "a text", edits=["7.9"])
attlas.view([], [])
attlas.view(None, ["a"])
attlas.view([None], ["a"])
attlas.view([even[0]], None)
attlas.view([even[0]], ["a"])
attlas.view([even[0]], "abc")
attlas.view([even[0]], [1, 2, 3])
attlas.view([even[0] * 5], ["a", "b", "c"])
attlas.view([even[0] * float("nan")], ["a", "b", "c"])
attlas.view(np.zeros((2, 2)), ["a", "b"])
attlas.view(atlas, "a text")
attlas.view(atlas)
attlas.view(5, "a text")
attlas.probe.dependencies(None)
attlas.probe.dependencies(subject, 5)
attlas.probe.dependencies(subject, f / "none.conllu")
attlas.probe.dependencies(subject, f / "good.conllu", seed=None)
attlas.probe.dependencies(subject, f / "good.conllu", atlas=5)
attlas.probe.dependencies(subject, f / "good.conllu", input="verse")
attlas.probe.dependencies(subject, f / "good.conllu", pieces="sum")
attlas.probe.dependencies(subject, f / "good.conllu", engine="dask")
attlas.probe.dependencies(bare, f / "good.conllu")
attlas.probe.coreference(subject, f / "good.conllu", candidates="verbs")
attlas.probe.frames(subject, 5)
attlas.probe.features(subject, f / "good.conllu", input="verse")
attlas.probe.tree(subject, f / "good.conllu", probes=["x"])
attlas.probe.tree(subject, f / "good.conllu", parse=5)
attlas.patterns(subject, needles=5)
attlas.patterns(subject, text=[None])
attlas.patterns(subject, hidden=True)
attlas.disable(subject, heads="0.0")
attlas.disable(subject, heads=[None])
attlas.disable(subject, edit=attlas.edit.uniform("0.0"))
attlas.disable(subject, text=["", " "])
attlas.prune(subject, orders="effect")
attlas.prune(subject, orders=["magic"])
attlas.prune(subject, orders=None)
attlas.prune(subject, keep="half", save=f / "smaller")
attlas.compare(subject, None)
attlas.compare(subject, subject, segments=2.5)
attlas.compare(subject, subject, atlases=[5, 5])
attlas.compare(subject, subject, data=5, task="RTE")
attlas.finetune(subject, "RTE", data=None)
attlas.finetune(subject, "RTE", data={})
attlas.finetune(subject, "RTE", data={"train": ["x"], "dev": ["y"]})
attlas.finetune(subject, "RTE", data={"train": 5})
attlas.finetune(subject, "RTE", data={"train": 5, "dev": 6})
attlas.disable(subject, text="repeated", length=6)
attlas.prune(subject, text="repeated", segments="all")
attlas.disable(bare, text="repeated")
attlas.finetune(subject, "mine", data={"train": [{"a": "x", "label": 0}, {"b": 1}], "dev": []}, columns=["a"])
attlas.Callback(None)
attlas.Callback("")
attlas.Callback(f / "words.txt")
attlas.Callback(f / "o", steps=1.5)
attlas.Callback(f / "o", steps="all")
attlas.Callback(f / "o", segments="3")
attlas.Callback(f / "o", studies=[5])
attlas.Callback(f / "o").record(None, 1)
attlas.Callback(f / "atlas", tokenizer=subject.tokenizer).record(attlas.load(f / "model").model, 1)
attlas.Callback(f / "atlas").draw(f / "o")
attlas.Tap(attlas.load(f / "good.npz"), edits=[attlas.edit.zero("0.0")])
attlas.load(f / "good.npz").encode("A text.")
"""

CONLLU = "".join(
    f"# sent_id = {n}\n# text = The dog barks .\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
    "2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
    "3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\t_\n4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
    for n in range(4)
)


def make_files(f: Path) -> None:
    """The good and bad files that the commands name."""
    import torch
    import transformers

    import attlas

    def write(name: str, content: str | bytes) -> Path:
        path = f / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    _texts(write)
    write("thesis/thesis.docx", "ten years of work")
    # models: a small BERT, and what may be wrong with it
    shipped = Path(attlas.__file__).parent / "data" / "mini"
    config = transformers.BertConfig(
        **{**json.loads((shipped / "config.json").read_text()), "num_hidden_layers": 2, "hidden_size": 24,
           "num_attention_heads": 2, "intermediate_size": 16}
    )  # fmt: skip
    torch.manual_seed(0)
    transformers.BertForMaskedLM(config).save_pretrained(f / "model")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(shipped / name, f / "model")
    _models(f, write)
    _others(f)
    _recordings(f, write)
    _treebanks(write)
    _tasks(write)
    small = {"segments": 4, "length": 16, "sample": 0, "progress": False}
    attlas.map(f / "model", atlas=f / "atlas", **small)
    attlas.map(f / "model", atlas=f / "atlas", chapter="taken", **small)
    attlas.patterns(
        f / "model", atlas=f / "patterns", segments=2, length=16, repeated=4, hidden=0, progress=False
    )
    _atlases(f)


def _texts(write: Any) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    write("words.txt", "A first sentence is here. A second one follows it.\n" * 20)
    write("empty.txt", "")
    write("blank.txt", "\n \n\n")
    write("short.txt", "Hm.")
    write("latin.txt", b"A caf\xe9 in Latin-1.\n")
    write("binary.txt", bytes(range(256)) * 20)
    write("nul.txt", b"\0" * 500)
    write("page.html", "")
    write("words.pdf", b"%PDF-1.4\n\xff\xfe")
    for end in ("gz", "xz", "zst"):
        write(f"broken.{end}", b"not compressed at all")
    write("cut.txt.gz", gzip.compress(b"A sentence. Another one. " * 50_000)[:60])
    write("bad.jsonl", "{not json}\n")
    write("list.jsonl", "[1, 2]\n")
    write("numbers.jsonl", '{"text": 5}\n')
    write("words.jsonl", '{"text": "A sentence. And another."}\n')
    write("bad.parquet", b"PAR1 and then nothing")
    for name, column in (("other", ["a", "b"]), ("numbers", [1, 2])):
        path = write(f"{name}.parquet", b"")
        pq.write_table(pa.table({"text" if name == "numbers" else "other": column}), path)
    write("ragged.glove", "the 1 2 3\na 1 2\n")
    write("large.glove", "the 1e300 2 3\ndog 1 2 3\n")
    write("picture.png", b"\x89PNG and no more")


def _models(f: Path, write: Any) -> None:
    def spoilt(name: str, *without: str, **changes: Any) -> Path:
        folder = f / name
        shutil.copytree(f / "model", folder)
        for part in without:
            (folder / part).unlink()
        config = json.loads((f / "model" / "config.json").read_text())
        if "config.json" not in without:
            (folder / "config.json").write_text(json.dumps({**config, **changes}))
        return folder

    spoilt("no_config", "config.json")
    (spoilt("config_list") / "config.json").write_text("[]")
    (spoilt("config_broken") / "config.json").write_text("{")
    (spoilt("config_deep") / "config.json").write_text("[" * 100_000)
    (spoilt("config_empty") / "config.json").write_text("{}")
    spoilt("no_weights", "model.safetensors")
    weights = (f / "model" / "model.safetensors").read_bytes()
    (spoilt("cut_weights") / "model.safetensors").write_bytes(weights[:5000])
    (spoilt("weights_text") / "model.safetensors").write_text("weights")
    spoilt("other_layers", num_hidden_layers=5)
    spoilt("other_width", hidden_size=48)
    spoilt("other_class", architectures=["GPT2LMHeadModel"], model_type="gpt2")
    spoilt("unknown_type", architectures=["Unheard"], model_type="unheard-of")
    spoilt("no_heads", num_attention_heads=0)
    spoilt("odd_function", hidden_act="no such function")
    (spoilt("broken_tokenizer") / "tokenizer.json").write_text("{")
    spoilt("no_tokenizer", "tokenizer.json", "tokenizer_config.json")
    code = spoilt("code", model_type="mine", auto_map={"AutoConfig": "mine.Mine", "AutoModel": "mine.Mine"})
    (code / "mine.py").write_text("class Mine: pass\n")
    (spoilt("pickle", "model.safetensors") / "pytorch_model.bin").write_bytes(
        b"cposix\nsystem\n(S'true'\ntR."
    )
    (spoilt("pickle_text", "model.safetensors") / "pytorch_model.bin").write_text("weights")
    (spoilt("only_h5", "model.safetensors") / "tf_model.h5").write_bytes(b"\x89HDF")
    write("zip.gguf", b"PK\3\4")
    write("cut.gguf", b"GGUF\3\0\0\0")
    write("ggufs/a.gguf", b"GGUF")


def _others(f: Path) -> None:
    """Small models of other kinds, that read with the same tokenizer; and one that gives no numbers."""
    import torch
    import transformers as tr

    shape = {"vocab_size": 8192, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2,
             "intermediate_size": 16, "max_position_embeddings": 128, "pad_token_id": 0}  # fmt: skip
    both = {"vocab_size": 8192, "d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    broken = tr.BertForMaskedLM(tr.BertConfig(**shape))
    torch.nn.init.constant_(broken.bert.encoder.layer[1].attention.self.query.weight, float("nan"))
    for name, model in {
        "classifier": tr.BertForSequenceClassification(tr.BertConfig(**shape, num_labels=2)),
        "decoder": tr.LlamaForCausalLM(tr.LlamaConfig(**shape)),
        "both": tr.T5ForConditionalGeneration(tr.T5Config(**both, decoder_start_token_id=0)),
        "not_numbers": broken,
    }.items():
        model.save_pretrained(f / name)
        for part in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copy(f / "model" / part, f / name)


def _tasks(write: Any) -> None:
    header = "index\tsentence1\tsentence2\tlabel\n"
    labels = ("entailment", "not_entailment")
    good = "".join(f"{n}\tThe dog barks.\tA cat sleeps.\t{labels[n % 2]}\n" for n in range(8))
    for split in ("train", "dev"):
        write(f"glue/RTE/{split}.tsv", header + good)
        write(f"glue/STS-B/{split}.tsv", header.replace("label", "score") + "0\ta\tb\t5\n")
        write(f"glue_missing/{split}.tsv", header.replace("sentence2", "other") + good)
        write(f"glue_other_labels/{split}.tsv", header + good.replace("entailment", "perhaps"))
        write(f"glue_ragged/{split}.tsv", header + "0\tThe dog barks.\n")
    write("deep.jsonl", "[" * 100_000)
    odd = {"a": "x", "half": "\ud83d", "list": ["x"], "none": None, "nan": float("nan"), "label": 0}
    write("odd.jsonl", json.dumps(odd) + "\n")


def _recordings(f: Path, write: Any) -> None:
    from safetensors.numpy import save_file

    even = np.full((1, 2, 3, 3), 1 / 3, np.float32)
    tokens = np.array(["a", "b", "c"])
    files: dict[str, dict[str, Any]] = {
        "good": {"attention": even, "tokens": tokens},
        "other": {"x": even},
        "no_tokens": {"attention": even},
        "few_tokens": {"attention": even, "tokens": tokens[:1]},
        "number_tokens": {"attention": even, "tokens": np.arange(3)},
        "scores": {"attention": even * 5, "tokens": tokens},
        "nan": {"attention": even * np.nan, "tokens": tokens},
        "flat": {"attention": even[0], "tokens": tokens},
        "objects": {"attention": np.array([None]), "tokens": tokens},
        "empty": {"attention": even[:0], "tokens": tokens},
        "two_models": {"attention.0": even, "tokens.0": tokens, "attention.1": np.tile(even, (2, 1, 1, 1)),
                       "tokens.1": tokens},
    }  # fmt: skip
    for name, arrays in files.items():
        np.savez(f / f"{name}.npz", **arrays)
    write("broken.npz", b"PK\3\4 and no more")
    write("broken.safetensors", b"\0" * 40)
    save_file({"x": even}, f / "other.safetensors")
    save_file({"attention": even}, f / "no_tokens.safetensors")
    save_file({"attention": even}, f / "bad_tokens.safetensors", {"tokens": "[broken"})


def _treebanks(write: Any) -> None:
    write("good.conllu", CONLLU)
    write("trees.conllu", CONLLU * 3)
    write("empty.conllu", "")
    write("columns.conllu", "1\tThe\tdet\n\n" * 3)
    write("cycle.conllu", CONLLU.replace("\t2\tdet", "\t1\tdet"))
    write("heads.conllu", CONLLU.replace("\t3\tnsubj", "\t99\tnsubj"))
    write("latin.conllu", CONLLU.replace("dog", "d\xf4g").encode("latin-1"))
    write("bad_gap.tsv", "ID\tText\nx\ty\n")
    write("empty.tsv", "")
    write("frames_broken/frameIndex.xml", "<frames")
    write("frames_broken/luIndex.xml", "<lus")


def _atlases(f: Path) -> None:
    def spoilt(name: str) -> Path:
        shutil.copytree(f / "atlas", f / f"atlas_{name}")
        return f / f"atlas_{name}"

    manifest = json.loads((f / "atlas" / "manifest.json").read_text())
    for name, text in (
        ("newer", json.dumps({**manifest, "schema": 99})),
        ("old", json.dumps({**manifest, "schema": 0})),
        ("manifest_list", "[]"),
        ("manifest_broken", "{"),
        ("manifest_deep", "[" * 100_000),
        ("manifest_empty", "{}"),
    ):
        (spoilt(name) / "manifest.json").write_text(text)
    (spoilt("no_heads") / "heads.parquet").unlink()
    heads = spoilt("cut_heads") / "heads.parquet"
    heads.write_bytes(heads.read_bytes()[:300])
    for part in ("arrays.safetensors", "examples.parquet"):
        path = spoilt(f"flipped_{part.split('.')[0]}") / part
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    forged = spoilt("forged")
    from attlas.atlas.disk import load_atlas  # its checksums are right, its numbers impossible

    assert load_atlas(forged)
    _forge(forged)
    (f / "atlas.part").mkdir()
    (f / "atlas.part" / "settings.json").write_text("{}")


def _forge(folder: Path) -> None:
    import hashlib

    import pandas as pd

    heads = pd.read_parquet(folder / "heads.parquet")
    heads.loc[heads["statistic"] == "to_next", "value"] = 7.0
    heads.to_parquet(folder / "heads.parquet", index=False)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["heads.parquet"] = hashlib.sha256((folder / "heads.parquet").read_bytes()).hexdigest()
    manifest.pop("checksum", None)
    (folder / "manifest.json").write_text(json.dumps(manifest))


# trying them


def cases() -> list[str]:
    """All commands and calls."""
    return [f"attlas {line}" for line in COMMANDS.strip().splitlines()] + CALLS.strip().splitlines()


def names_of(f: Path) -> dict[str, Any]:
    """What the calls speak of."""
    import pandas as pd
    import torch

    import attlas
    from attlas.address import Head

    subject = attlas.load(f / "model")
    return {
        "attlas": attlas,
        "torch": torch,
        "np": np,
        "pd": pd,
        "Head": Head,
        "f": f,
        "subject": subject,
        "bare": attlas.load(f / "no_tokenizer"),
        "atlas": attlas.load_atlas(f / "atlas"),
        "batch": subject.encode("A text."),
        "even": np.full((1, 1, 2, 3, 3), 1 / 3, np.float32),
    }


def wrong_with(case: str, f: Path, names: dict[str, Any]) -> str | None:
    """What is wrong with how a bad input ends; None if all is well."""
    with _nothing_left_behind(f):
        return _command(case, f) if case.startswith("attlas ") else _call(case, names)


@contextlib.contextmanager
def _nothing_left_behind(folder: Path) -> Iterator[None]:
    """Works in the folder; puts back what a command may change in its process."""
    environment, handler = dict(os.environ), signal.getsignal(signal.SIGTERM)
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        signal.signal(signal.SIGTERM, handler)
        os.environ.clear()
        os.environ.update(environment)


def _command(case: str, f: Path) -> str | None:
    from attlas.cli import main

    arguments = [part.replace("{f}", str(f)) for part in shlex.split(case)[1:]]
    out, err = io.StringIO(), io.StringIO()
    status: Any = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stopped:
            status = stopped.code
        except BaseException:
            return f"raised:\n{traceback.format_exc()}"
    said = err.getvalue()
    if status != 1 or out.getvalue() or not said.startswith("attlas: ") or said.count("\n") != 1:
        return f"status {status}, stdout {out.getvalue()[:200]!r}, stderr {said[:600]!r}"
    return _clear(said)


def _call(case: str, names: dict[str, Any]) -> str | None:
    from attlas.errors import AttlasError

    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        try:
            result = eval(case, dict(names))
        except AttlasError as error:
            return _clear(str(error))
        except BaseException:
            return f"raised:\n{traceback.format_exc()}"
    return f"nothing was said: it gave a {type(result).__name__}"


def _clear(said: str) -> str | None:
    if nonsense := NONSENSE.search(said):
        return f"says {nonsense[0]!r}: {said.strip()}"
    return None if 10 < len(said) < 700 and "\n" not in said.strip() else f"too long or too short: {said}"
