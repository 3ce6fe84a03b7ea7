"""Tests that notice: one small change of the program at a time, and whether a test fails because of it.

``make mutants`` tries every change (some hours), ``make mutants-sample`` a fixed sample (two minutes; it runs in CI).
``python -m tests.mutants bot/tables/play.py`` tries those of one file or folder.

What is changed (``operators``): a comparison becomes its edge (``<``, ``<=``) or its opposite (``==``, ``!=``, ``is``,
``in``); a number grows by one, a large one doubles, a truth value flips, also where it is a default; ``+`` becomes
``-``, a sign goes; ``and`` becomes ``or``, one of their operands goes; a ``not`` comes or goes; ``min`` becomes
``max``, ``any`` becomes ``all``; a statement goes: an early return, an assignment to what has a value already, a call.

What is not: types, docstrings, assertions, ``__repr__``, the log, texts, what is printed, the texts of errors, names of
asyncio's tasks, ``zip(..., strict=True)``. They say what the program should be, or are for people to read. A statement
whose loss nobody could miss (the first assignment to a name, the last return) stays as well.

Nor is anything changed in a ``__main__``, which tests run as a process of its own.

Each change is tried in a process of its own, which imports the changed module in place of the file; files stay as they
are. It runs the tests that run the changed line, the quickest first, until one fails. A change that makes a
test hang, or takes too much memory, is noticed too.

In reading order:

- ``operators``     the changes to one module
- ``imports``       which module imports from which
- ``measuring``     runs the tests once, and notes which lines each of them runs
- ``lines``         which tests run a line, in the order in which they are tried
- ``trying``        a change, tried
- ``known``         changes that are noticed by no test for a reason, in ``equivalent.toml``
- ``__main__``      the command
- ``test_mutants``  all this is as it says
"""
