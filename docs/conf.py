"""The site's settings. `scripts/docs` builds it into out/site, offline, and a warning is an error.

The sources are the repository's own Markdown and notebooks, where they are: a link works on the site and in
a clone.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Attlas"
copyright = "The Attlas authors. Apache-2.0"
extensions = ["myst_nb", "site_files"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "examples/*.ipynb",
    "research/mini.md",
    "research/shapes/README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
exclude_patterns = [".*", "out", "dist", "web", "tests", "src", "benchmarks", "scripts"]
nb_execution_mode = "off"  # notebooks keep their output; tests/test_site.py runs them
nb_ipywidgets_js = {}  # by default two scripts from elsewhere
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Attlas"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
