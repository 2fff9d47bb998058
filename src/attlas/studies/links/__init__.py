"""Links: from this word, which of the others is linked with it? Shared by the studies that ask so."""
