"""What every study needs to judge its numbers: means, ratios, bootstrap, exact tests, corrections.

Plain arrays in, plain numbers out. Nothing here knows of models or heads.
"""
