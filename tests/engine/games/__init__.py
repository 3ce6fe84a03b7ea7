"""Golden scenarios, worked out by hand from the printed rules and the rulings: a folder per game, named after it."""
