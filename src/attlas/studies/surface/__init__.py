"""Where does each head look, how broadly, and how differently from the others? (Clark 2019)"""
