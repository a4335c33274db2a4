from games.catalog.dilemma.cli import main

main()
