import { ink, letter, onSeat, plate, seatColour, seatDisc, seatName, shape, type BoardContext, type Box, type Canvas } from '@polity/board'
import { isSocial, since } from './agreeing'
import { round, stageOf } from './grid'
import { rowOfSeats } from './layout'
import { label, letters, ringed, title } from './lettering'
import { bargains, groupsOf, onTurn, type World } from './reading'
import type { Group } from './shapes'
import { speaker } from './words'

const LANE = 20
/** A lane that low has less room around its shares. */
const TIGHT_LANE = 19
const NAMES = 62
const SUMS = 58
const CLOSEST = 11

/**
 * Who is with whom: the seats in a row, over it arcs for what is offered, said, shown and given, under it a lane for each
 * group with the shares of its members. Groups that overlap have lanes of their own, and hide nothing.
 */
export function drawGraph(canvas: Canvas, whole: Box, world: World, context: BoardContext, right?: number): void {
  const { theme } = context
  const say = speaker(context)
  const box = world.stage === 'negotiation' ? title(canvas, theme, whole, say('offers'), say('offersNote'), right) : title(canvas, theme, whole, say('social'), stageOf(world, say), right)
  const groups = [...world.groups].filter(({ members }) => members.length > 0).sort((a, b) => a.layer - b.layer || a.number - b.number)
  const all = rowOfSeats(world, context.seats.map(({ seat }) => seat))
  const before = groups.length ? NAMES : 8
  const after = groups.length && (isSocial(world) || world.returns.size > 0) ? SUMS : 8
  const left = box.x + before + 8
  const width = box.width - before - after - 16
  const seats = all.slice(0, Math.max(1, Math.floor(width / CLOSEST)))
  const step = Math.min(72, width / seats.length)
  const x = new Map(seats.map((seat, i) => [seat, left + (i + 0.5) * step] as const))
  const loners = seats.filter((seat) => !groupsOf(world, seat).length)
  const lanes = groups.length + (loners.length && groups.length ? 1 : 0)
  const radius = Math.max(4, Math.min(13, step * 0.42))
  const named = step > 60 && box.height > 150
  const low = box.height - 2 * radius - (named ? 16 : 4)
  const laneTall = Math.max(13, Math.min(LANE + 4, (low * 0.62) / Math.max(1, lanes)))
  const fits = Math.max(1, Math.floor((low * 0.7) / laneTall))
  const free = low - Math.min(lanes, fits) * laneTall - 8
  const arcs = Math.max(10, hasArcs(world) ? Math.min(free, 130) : Math.min(free, 10))
  const y = box.y + arcs + radius

  drawArcs(canvas, box, world, context, x, y, radius, arcs)
  const deciding = new Set([...bargains(world).map(({ decides }) => decides), onTurn(world)])
  for (const seat of seats) {
    const at = x.get(seat) ?? 0
    if (deciding.has(seat)) ringed(canvas, theme, at, y, radius + 3)
    seatDisc(canvas, theme, seat, at, y, radius)
    if (named) letters(canvas, theme, seatName(context.seats, seat), at, y + radius + 10, theme.text2, 'center', 11, 400, step - 4)
  }
  if (seats.length < all.length) letters(canvas, theme, `+${all.length - seats.length}`, left + width + 4, y, theme.text3, 'left')
  let top = y + radius + (named ? 20 : 6)
  const kept = groups.length > fits ? fits - 1 : groups.length
  for (const group of groups.slice(0, kept)) {
    drawLane(canvas, context, world, group, x, step, box, top, laneTall)
    top += laneTall
  }
  if (kept < groups.length) letters(canvas, theme, say('moreGroups', { n: groups.length - kept }), box.x + 12, top + laneTall / 2, theme.text3, 'left')
  else if (loners.length && groups.length && top + laneTall <= box.y + box.height + 2) {
    letters(canvas, theme, say('alone'), box.x + NAMES, top + laneTall / 2, theme.text, 'right', 11, 600, NAMES - 8)
    for (const seat of loners) {
      plate(canvas, { x: (x.get(seat) ?? 0) - step / 2 + 2, y: top + 2, width: step - 4, height: laneTall - 5 }, 3, undefined, theme.line2, 1, [3, 3])
      if (step > 26) letters(canvas, theme, say('all'), x.get(seat) ?? 0, top + laneTall / 2, theme.text2, 'center', 11)
    }
  } else if (!groups.length) letters(canvas, theme, say('noGroups'), box.x + 16, top + 10, theme.text2, 'left')
}

/** Whether there is anything to draw over the seats. */
export function hasArcs(world: World): boolean {
  return world.messages.length > 0 || world.links.some(({ shows_map, reward, parity }) => shows_map || reward > 0 || parity !== null)
}

/** The height that the drawing has use for, with what is said over it. */
export function graphHeight(world: World, wide: boolean): number {
  return 26 + (hasArcs(world) ? (wide ? 130 : 76) : 12) + 42 + 23 * (1 + world.groups.filter(({ members }) => members.length).length)
}

/** The same where what stands beneath must not move with each word that is said, or each group that is left. */
export function steadyHeight(world: World, wide: boolean): number {
  const isTalking = hasArcs(world) || world.stage === 'negotiation' || world.mini_game === 'exploration'
  return 26 + (isTalking ? (wide ? 130 : 76) : 12) + 42 + 23 * Math.max(3, 1 + world.groups.filter(({ members }) => members.length).length)
}

/** One group: its number, a box from its first member to its last with each one's share, what it has earned or since when it stands. */
function drawLane(
  canvas: Canvas, context: BoardContext, world: World, group: Group, x: ReadonlyMap<number, number>, step: number, box: Box, top: number, tall: number,
): void {
  const { theme } = context
  const say = speaker(context)
  const middle = top + tall / 2
  // A group of groups stands over the first seat of each of them.
  const seatOf = (member: number): number | undefined =>
    group.layer === 1 ? member : world.groups.find(({ layer, number }) => layer === group.layer - 1 && number === member)?.members[0]?.[0]
  const members = group.members.map(([member, share]) => ({ member, share, at: x.get(seatOf(member) ?? -1) })).filter(({ at }) => at !== undefined) as { member: number; share: number; at: number }[]
  letters(canvas, theme, say(group.layer === 1 ? 'group' : 'layerGroup', { n: group.number }), box.x + NAMES, middle, theme.text, 'right', 11, 600, NAMES - 8)
  if (!members.length) return
  const first = Math.min(...members.map(({ at }) => at)) - step / 2
  const last = Math.max(...members.map(({ at }) => at)) + step / 2
  plate(canvas, { x: first + 0.5, y: top + 1.5, width: last - first - 1, height: tall - 4 }, 4, theme.void, theme.line2)
  const edge = tall < TIGHT_LANE ? 2.5 : 4
  const isEqual = new Set(group.members.map(([, share]) => share.toFixed(3))).size === 1
  for (const { member, share, at } of members) {
    const seat = group.layer === 1 ? member : -1
    plate(canvas, { x: at - step / 2 + 3, y: top + edge, width: step - 6, height: tall - 2 * edge - 1 }, 2, seat < 0 ? theme.inkSoft : seatColour(theme, seat))
    const told = isEqual && group.members.length > 1 ? `1/${group.members.length}` : `${Math.round(share * 100)}%`
    if (step > 22) letters(canvas, theme, told, at, middle - 0.5, seat < 0 ? theme.surface : onSeat(theme, seat), 'center', tall < TIGHT_LANE ? 10 : 11, 600, step - 8)
  }
  if (isSocial(world)) {
    const n = since(world, group, context)
    if (n !== null) letters(canvas, theme, say('since', { n }), box.x + box.width - 8, middle, theme.text2, 'right', 11, 400, SUMS)
    return
  }
  const known = group.layer === 1 && members.every(({ member }) => world.returns.has(member))
  if (known) {
    const sum = members.reduce((total, { member }) => total + (world.returns.get(member) ?? 0), 0)
    letters(canvas, theme, `Σ ${round(sum) >= 1000 ? Math.round(sum) : Math.round(sum * 10) / 10}`, box.x + box.width - 8, middle, theme.text2, 'right', 11)
  }
}

interface Arc {
  from: number
  to: number
  kind: 'shows' | 'gives' | 'says' | 'offers'
  text: string
}

export function drawArcs(
  canvas: Canvas, box: Box, world: World, context: BoardContext, x: ReadonlyMap<number, number>, y: number, radius: number, room: number,
): void {
  const { theme } = context
  const say = speaker(context)
  const open = bargains(world)
  const arcs: Arc[] = [
    ...world.links.filter((link) => link.shows_map && link.from !== link.to).map(({ from, to }): Arc => ({ from, to, kind: 'shows', text: '' })),
    ...world.links.filter((link) => link.reward > 0).map(({ from, to, reward }): Arc => ({ from, to, kind: 'gives', text: `${Math.round(reward * 100)}%` })),
    ...world.messages.filter(({ from, to }) => from !== to).map(({ from, to, text }): Arc => ({ from, to, kind: 'says', text: text ? `“${text.length > 26 ? `${text.slice(0, 25)}…` : text}”` : '' })),
    ...open.map(({ decides, waits, asked, before }): Arc => {
      const [by, share] = asked !== null || before === null ? [waits, asked] : [decides, before]
      const other = by === waits ? decides : waits
      return { from: by, to: other, kind: 'offers', text: share === null ? say('bargains') : `${letter(by)} ${share} : ${letter(other)} ${100 - share}` }
    }),
  ]
  const span = Math.max(1, ...arcs.map(({ from, to }) => Math.abs((x.get(from) ?? 0) - (x.get(to) ?? 0))))
  const plates: (() => void)[] = []
  for (const { from, to, kind, text } of arcs) {
    const [a, b] = [x.get(from), x.get(to)]
    if (a === undefined || b === undefined || a === b) continue
    const tall = Math.min(room - 10, Math.max(14, (room - 10) * (0.35 + (0.65 * Math.abs(a - b)) / span)))
    const top = y - radius - 2
    // What goes right stands a little higher than what comes back, so that both show.
    const high = top - (a < b ? tall : tall * 0.78)
    canvas.beginPath()
    canvas.moveTo(a, top)
    // The middle of such a curve is three quarters of the way to its handles.
    const handle = top + (high - top) / 0.75
    canvas.bezierCurveTo(a, handle, b, handle, b, top)
    const colour = kind === 'offers' ? theme.text : kind === 'gives' ? theme.goodMark : kind === 'says' ? theme.accent : theme.inkSoft
    ink(canvas, { edge: colour, thick: kind === 'offers' ? 2 : 1.3, dash: kind === 'says' ? [2, 3] : kind === 'gives' ? [6, 3] : [] })
    shape(canvas, [[b - 4, top - 6], [b, top], [b + 4, top - 6]], { fill: colour })
    if (text) plates.push(() => label(canvas, theme, text, (a + b) / 2, high, kind === 'offers' ? theme.text : theme.text2, box, kind === 'offers' ? theme.accent : theme.line2))
  }
  for (const plate of plates) plate()
}
