"""HeadVis's tree of files, written and read, so that its users can move to Attlas and back."""
