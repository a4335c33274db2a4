"""Who gets which part of a step's rewards. All sums in millionths; not one is lost or made.

First each agent passes on what its edges promise (`reward_share`); then it puts the rest, in equal parts, into the
pots of its groups, but for what a group has decided that its members keep (`norms`). A group that is itself a member of
groups puts its pot into theirs. Pots are then split from the top layer down by the members' weights. An agent in no
group keeps what it has. Losses are shared alike.
Source: AdaSociety paper, sections 2.1.3 and A.6.2; the order of division follows the authors' code for two layers.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.catalog.adasociety.rules.graph import WHOLE, Node, SocialGraph


def split(amount: int, weights: Sequence[int]) -> list[int]:
    """A whole amount (maybe negative) in parts near the weights' shares, which add up to it exactly.

    Each part is within one millionth of its share; what rounding leaves goes to the largest remainders, the earlier
    first among equals. Weights are at least 0, and one is above 0.
    """
    total = sum(weights)
    parts = [amount * weight // total for weight in weights]
    left = amount - sum(parts)
    if left:
        remainders = [amount * weight % total for weight in weights]
        for index in sorted(range(len(weights)), key=lambda i: (-remainders[i], i))[:left]:
            parts[index] += 1
    return parts


def shared_rewards(increments: Sequence[int], graph: SocialGraph) -> list[int]:
    """Each seat's reward of the step after sharing, from the seats' own increments."""
    kept = _passed_on(increments, graph)
    if not graph.members:
        return kept
    pots: dict[Node, int] = {}
    received: dict[Node, int] = {(0, seat): amount for seat, amount in enumerate(kept)}
    for layer in range(len(graph.sizes) - 1):
        for number in range(graph.sizes[layer]):
            node = (layer, number)
            groups = graph.groups.get(node)
            if not groups:
                continue
            amount = received.pop(node, 0) if layer == 0 else pots.pop(node, 0)
            for group, part in zip(groups, split(amount, [1] * len(groups)), strict=True):
                keeps = graph.rules.get(group) if layer == 0 else None
                own, rest = split(part, [keeps, WHOLE - keeps]) if keeps else (0, part)
                if keeps:
                    received[node] = received.get(node, 0) + own
                pots[group] = pots.get(group, 0) + rest
    for group in sorted(graph.payees, reverse=True):
        pot = pots.pop(group, 0)
        members = graph.payees[group]
        for (node, _), part in zip(members, split(pot, [weight for _, weight in members]), strict=True):
            target = received if node[0] == 0 else pots
            target[node] = target.get(node, 0) + part
    return [received.get((0, seat), 0) for seat in range(len(increments))]


def _passed_on(increments: Sequence[int], graph: SocialGraph) -> list[int]:
    """After all have passed parts of their own increments over their edges; what is received is not passed on."""
    kept = list(increments)
    for seat, given in graph.given.items():
        if not increments[seat]:
            continue
        shares = [share for _, share in given]
        parts = split(increments[seat], [*shares, max(0, WHOLE - sum(shares))])
        kept[seat] += parts[-1] - increments[seat]
        for (head, _), part in zip(given, parts, strict=False):
            kept[head] += part
    return kept
