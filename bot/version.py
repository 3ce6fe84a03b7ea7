"""The version of the program, and how it is started. Nothing else names them: the packages' metadata are made from the
version."""

import sys
from pathlib import Path
from typing import Final

VERSION: Final = "0.4.0"
"""Follows https://semver.org; CHANGELOG.md says what is new."""
INSTALLED: Final = "diciassette"
"""What the program is called where it is installed."""
COMMAND: Final = "python -m bot" if Path(sys.argv[0]).name == "__main__.py" else INSTALLED
"""What whoever has started this process types for its other commands."""
