"""What is tried next when Discord does not take a message as it is. Pure."""

from typing import Final

from bot.delivery.faults import NoEntry, Refused
from bot.present.sheet import Sheet

TOO_LARGE: Final = 40005
"""The error code of a request with files that are too large."""


class Form:
    """A sheet in the form that is tried now, at first as it is.

    Emojis are refused now and then, so the same is tried once more; then with text symbols; then without files.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.lost_emojis = False
        """Whether text symbols stand in for its emojis."""
        self._again = False

    def simplify(self, no: Refused | NoEntry) -> bool:
        """Go on to the next form, after Discord has refused this one with *no*; return whether there is one."""
        about_files = isinstance(no, NoEntry) or no.code == TOO_LARGE
        if not about_files and self.sheet.has_emojis:
            if self._again:
                self.sheet, self.lost_emojis = self.sheet.without_emojis(), True
            self._again = True
            return True
        if self.sheet.has_files:
            self.sheet = self.sheet.without_files()
            return True
        return False
