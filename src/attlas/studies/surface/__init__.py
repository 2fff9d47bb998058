"""The surface: where does each head look, how broadly, how differently from the others? (Clark 2019)"""
