"""``make playthroughs``: deletes every file, and writes those that the cases ask for. Read the diff."""

from engine.playthrough import playthrough_lines
from tests.games import CASES
from tests.playthroughs import FOLDER, computers, of_computers, written


def main() -> None:
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for game, case in CASES.items():
        for seats, options in case.playthroughs:
            path, seed = written(game, seats, options)
            path.write_text("\n".join(playthrough_lines(case.rules, seats, seed, options)) + "\n", "utf-8")
        games = [line for seats in case.rules.seats for line in computers(case, seats)]
        of_computers(game).write_text("\n".join(games) + "\n", "utf-8")


if __name__ == "__main__":
    main()
