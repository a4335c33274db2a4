"""Plans drawn at random: what the Random policy plays, and what stands in for an answer that cannot be used."""

from __future__ import annotations

from games.catalog.mining.shared import Shared
from games.catalog.mining.state import Item
from games.core.game import Seat
from games.core.rng import Rng, fold


def draw_items(seen: Shared, seat: Seat, rng: Rng) -> tuple[Item, ...]:
    """Legal items, each as likely as any other, drawn without repeats of (type, cell) until the stamina is spent.

    The items drawn from: claim of each unowned plot, raid on each plot of others that may be raided, defence of each
    own plot, mining of each own plot with 1 to the cap. What would exceed the stamina left is cut to it.
    """
    made, cap = seen.grid.items, seen.config.mine_cap
    own, free, open_to_raids = seen.holdings[seat], seen.free, seen.raidable
    claims = len(free)
    raids = claims + len(open_to_raids)
    defences = raids + len(own)
    total = defences + len(own) * cap
    left = seen.stamina[seat]
    if not total:
        return ()
    # One key, and a draw from it for each attempt: `Rng.below` would fold its label anew each time.
    key = rng.bits("item")
    items: list[Item] = []
    taken: set[tuple[str, int]] = set()
    # A miss (a repeat, a raid on oneself) is drawn again. The bound ends it where almost nothing is legal.
    for attempt in range(8 * left + 8):
        if not left:
            break
        index = ((fold(key, attempt) >> 1) * total) >> 63
        if index < claims:
            item = made["claim", plot := free[index], 1]
        elif index < raids:
            plot = open_to_raids[index - claims]
            if seen.owners[plot] == seat:
                continue
            item = made["raid", plot, 1]
        elif index < defences:
            item = made["defend", plot := own[index - raids], 1]
        else:
            which, s = divmod(index - defences, cap)
            item = made["mine", plot := own[which], min(s + 1, left)]
        if (item.type, plot) in taken:
            continue
        taken.add((item.type, plot))
        items.append(item)
        left -= item.s
    return tuple(items)
