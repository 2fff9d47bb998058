"""The kernel `triton`: attention on a GPU, with the row functions of every head out of the same pass.

`code` holds what runs on the GPU, `launch` what calls it. Nothing here is imported before it is needed.
"""
