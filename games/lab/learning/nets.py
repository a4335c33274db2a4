"""Networks of learners: what reads a seat's row, and the heads on it. Needs the extra ``polity[learn]``.

``small`` is two dense layers, which a match plays in whole numbers (`catalog.adasociety.arrays.network`); ``paper``
convolves over the grid and over the social graph, as the authors' baselines do. Either may remember (an LSTM).
"""

from __future__ import annotations

from typing import Any, Final

import flax.linen as nn
import jax
import jax.numpy as jnp

from games.lab.learning.field import Part, Sizes
from games.lab.learning.plan import Body

SCALE: Final = 0.25
"""What features are multiplied with before they are learnt from; saved weights have it in them."""
Carry = tuple[jax.Array, jax.Array]
ROOT2: Final = 2**0.5


def dense(width: int, scale: float = ROOT2, name: str | None = None) -> nn.Dense:
    return nn.Dense(width, kernel_init=nn.initializers.orthogonal(scale), name=name)


def part(rows: jax.Array, of: Part) -> jax.Array:
    return rows[..., of.start : of.stop].reshape(*rows.shape[:-1], *of.shape)


class Reader(nn.Module):
    """Rows (..., F) to (..., width)."""

    sizes: Sizes
    body: Body
    width: int

    @nn.compact
    def __call__(self, rows: jax.Array) -> jax.Array:
        rows = rows.astype(jnp.float32) * SCALE
        if self.body == "paper":
            rows = self._convolved(rows)
        return nn.relu(dense(self.width, name="first")(rows))

    def _convolved(self, rows: jax.Array) -> jax.Array:
        """The grid through two convolutions, the social graph through two graph convolutions, and the rest as it is."""
        lead, sizes = rows.shape[:-1], self.sizes
        grid = jnp.moveaxis(part(rows, sizes.grid), -3, -1).reshape(-1, *sizes.grid.shape[1:], sizes.grid.shape[0])
        for channels in (32, 32):
            grid = nn.relu(nn.Conv(channels, (3, 3), padding="SAME")(grid))
        seen = grid.reshape(*lead, -1)
        members = part(rows, sizes.members) / SCALE
        people, groups = sizes.members.shape
        edges = jnp.zeros((*lead, people + groups, people + groups))
        edges = (
            edges.at[..., :people, people:].set(members).at[..., people:, :people].set(jnp.swapaxes(members, -1, -2))
        )
        edges = edges + jnp.eye(people + groups)
        root = edges.sum(-1) ** -0.5
        spread = edges * root[..., :, None] * root[..., None, :]
        nodes = jnp.broadcast_to(jnp.eye(people + groups), edges.shape)
        for channels in (16, 16):
            nodes = nn.relu(jnp.einsum("...ij,...jk->...ik", spread, dense(channels)(nodes)))
        rest = jnp.concatenate([rows[..., : sizes.grid.start], rows[..., sizes.grid.stop :]], axis=-1)
        return jnp.concatenate([seen, nodes.reshape(*lead, -1), rest], axis=-1)


class Remembering(nn.Module):
    """An LSTM that moves on where there was a choice: a match asks nobody else, so that it has nothing to remember."""

    width: int

    @nn.compact
    def __call__(self, carry: Carry, seen: tuple[jax.Array, jax.Array]) -> tuple[Carry, jax.Array]:
        rows, chose = seen
        after, hidden = nn.OptimizedLSTMCell(self.width, name="cell")(carry, rows)
        kept = tuple(jnp.where(chose, new, old) for new, old in zip(after, carry, strict=True))
        return (kept[0], kept[1]), jnp.where(chose, hidden, carry[1])


class ActorCritic(nn.Module):
    """Preferences over actions, and what is still to come for a seat; a ``central`` critic is a network apart.

    Called with rows (T, W, S, F), the actions open (T, W, S, A), what was remembered before the first of them
    (a pair of (W, S, width); unread unless ``recurrent``), and the actions taken (T, W, S), which only a central
    critic reads: of all seats but the one that it judges.
    Returns preferences (T, W, S, A), values (T, W, S) and what is remembered now.
    """

    sizes: Sizes
    body: Body = "small"
    width: int = 64
    recurrent: bool = False
    central: bool = False

    @nn.compact
    def __call__(
        self, rows: jax.Array, mask: jax.Array, carry: Carry, taken: jax.Array
    ) -> tuple[jax.Array, jax.Array, Carry]:
        hidden = Reader(self.sizes, self.body, self.width, name="reader")(rows)
        if self.recurrent:
            scan = nn.scan(Remembering, variable_broadcast="params", split_rngs={"params": False})
            carry, hidden = scan(self.width, name="memory")(carry, (hidden, mask.sum(-1, keepdims=True) > 1))
        else:
            hidden = nn.relu(dense(self.width, name="second")(hidden))
        liked = dense(self.sizes.actions, 0.01, name="actor")(hidden)
        liked = jnp.where(mask > 0, liked, -1e9)
        value = self._judged(rows, taken) if self.central else dense(1, 1.0, name="critic")(hidden)[..., 0]
        return liked, value, carry

    def _judged(self, rows: jax.Array, taken: jax.Array) -> jax.Array:
        """By what all seats of the world know and what the others do."""
        seats = self.sizes.seats
        world = rows.reshape(*rows.shape[:-2], -1).astype(jnp.float32) * SCALE
        done = jax.nn.one_hot(taken, self.sizes.actions)
        others = done[..., None, :, :] * (1 - jnp.eye(seats))[:, :, None]
        hidden = dense(self.width, name="world")(world)[..., None, :]
        hidden += dense(self.width, name="others")(others.reshape(*others.shape[:-2], -1))
        hidden += dense(self.width, name="who")(jnp.broadcast_to(jnp.eye(seats), (*rows.shape[:-1], seats)))
        hidden = nn.relu(dense(self.width, name="judging")(nn.relu(hidden)))
        return dense(1, 1.0, name="critic")(hidden)[..., 0]


def applied(net: nn.Module, params: Any, *seen: Any) -> Any:
    """What a network with these parameters makes of what it sees."""
    return net.apply({"params": params}, *seen)


def nothing_remembered(worlds: int, seats: int, width: int) -> Carry:
    return jnp.zeros((worlds, seats, width)), jnp.zeros((worlds, seats, width))


def stored(params: Any) -> tuple[list[tuple[Any, Any]], list[Any] | None]:
    """A small actor as layers of (weights, biases), the scale within them, and its memory as weights from the row, from
    what was told last, and biases, the gates side by side; None without memory.
    """

    def of(layer: Any) -> tuple[Any, Any]:
        return layer["kernel"], layer["bias"]

    first, *rest = (of(params[name]) for name in ("second", "actor") if name in params)
    weights, biases = of(params["reader"]["first"])
    layers = [(weights * SCALE, biases), first, *rest]
    if "memory" not in params:
        return layers, None
    cell = params["memory"]["cell"]
    gates = "ifgo"
    return layers, [
        jnp.concatenate([cell[f"i{gate}"]["kernel"] for gate in gates], -1),
        jnp.concatenate([cell[f"h{gate}"]["kernel"] for gate in gates], -1),
        jnp.concatenate([cell[f"h{gate}"]["bias"] for gate in gates], -1),
    ]
