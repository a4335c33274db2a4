import { arrow, seatDisc, type BoardContext, type Theme } from '@polity/board'
import { stageOf } from './grid'
import { hull, placeGraph, type Box } from './layout'
import { label as letters, title } from './lettering'
import { peopled, type World } from './reading'
import { speaker } from './words'

type Canvas = CanvasRenderingContext2D

type Label = (text: string, x: number, y: number, colour: string) => void

/** Groups as hulls, shown maps as arrows, offers on broken lines; under the seats unequal shares, else rewards. */
export function drawGraph(canvas: Canvas, whole: Box, world: World, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const box = title(canvas, theme, whole, say('social'), stageOf(world, say))
  const label: Label = (text, x, y, colour) => letters(canvas, theme, text, x, y, colour, box)
  const seats = context.seats.map(({ seat }) => seat)
  const crowd = Math.min(14, 120 / Math.sqrt(Math.max(1, seats.length)) / 3)
  const radius = Math.max(6, Math.min(crowd, box.height / 14))
  const places = placeGraph(world, seats, box, radius)
  for (const group of places.overlapping ? [] : peopled(world)) {
    const corners = hull(group.members.flatMap(([seat]) => places.seats.get(seat) ?? []))
    outline(canvas, theme, corners, radius + 9)
  }
  for (const link of world.links) {
    const from = places.seats.get(link.from)
    const to = places.seats.get(link.to)
    if (!from || !to || link.from === link.to) continue
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    if (length < 1) continue
    // Both ways lie side by side, each a little to its right.
    const side = { x: (-(to.y - from.y) / length) * 3, y: ((to.x - from.x) / length) * 3 }
    const cut = (radius + 3) / length
    const x1 = from.x + (to.x - from.x) * cut + side.x
    const y1 = from.y + (to.y - from.y) * cut + side.y
    const x2 = to.x - (to.x - from.x) * cut + side.x
    const y2 = to.y - (to.y - from.y) * cut + side.y
    if (link.showsMap || link.reward > 0) {
      arrow(canvas, x1, y1, x2, y2, { end: 'head', colour: theme.text3, casing: theme.surface, width: 1.2 })
    }
    if (link.parity !== null) bargain(canvas, label, context, x1, y1, x2, y2, link.proposal, link.from < link.to)
  }
  const shares = new Map<number, string>()
  for (const group of peopled(world)) {
    const centre = places.groups.get(group.number)
    if (!centre) continue
    const equal = new Set(group.members.map(([, share]) => share.toFixed(3))).size === 1
    for (const [seat, share] of group.members) {
      const at = places.seats.get(seat)
      if (!at) continue
      canvas.beginPath()
      canvas.moveTo(centre.x, centre.y)
      canvas.lineTo(at.x, at.y)
      canvas.strokeStyle = theme.text2
      canvas.lineWidth = 0.8 + 4 * share
      canvas.stroke()
      if (equal) continue
      const told = `${Math.round(share * 100)}%`
      if (places.overlapping) label(told, (centre.x + 2 * at.x) / 3, (centre.y + 2 * at.y) / 3, theme.text)
      else shares.set(seat, told)
    }
    const name = say('group', { n: group.number })
    const told = equal && group.members.length > 1 ? say('equal', { name, n: group.members.length }) : name
    // Over the hull, where no disc hides it; between its members where hulls would hide one another.
    const tops = group.members.map(([seat]) => places.seats.get(seat)?.y ?? centre.y)
    label(told, centre.x, places.overlapping ? centre.y : Math.min(...tops) - radius - (places.roomy ? 26 : 17), theme.text)
  }
  for (const [seat, at] of places.seats) {
    seatDisc(canvas, theme, seat, at.x, at.y, radius)
    const earned = world.returns.get(seat)
    const told = shares.get(seat) ?? earned?.toFixed(earned % 1 ? 1 : 0)
    if (told !== undefined && places.roomy) label(told, at.x, at.y + (places.isUpper(seat) ? -1 : 1) * (radius + 9), theme.text2)
  }
}

/** A shape round some points, at this distance from them. */
export function outline(canvas: Canvas, theme: Theme, corners: readonly { x: number; y: number }[], reach: number): void {
  const first = corners[0]
  if (!first) return
  const trace = (): void => {
    canvas.beginPath()
    canvas.moveTo(first.x, first.y)
    for (const corner of corners) canvas.lineTo(corner.x, corner.y)
    canvas.closePath()
  }
  canvas.lineJoin = 'round'
  canvas.lineCap = 'round'
  for (const [colour, width] of [[theme.line2, reach * 2 + 2], [theme.void, reach * 2]] as const) {
    trace()
    canvas.strokeStyle = colour
    canvas.fillStyle = colour
    canvas.lineWidth = width
    canvas.stroke()
    canvas.fill()
  }
}

function bargain(
  canvas: Canvas, label: Label, context: BoardContext, x1: number, y1: number, x2: number, y2: number, share: number | null, lower: boolean,
): void {
  const { theme } = context
  const say = speaker(context)
  canvas.beginPath()
  canvas.setLineDash([4, 4])
  canvas.moveTo(x1, y1)
  canvas.lineTo(x2, y2)
  canvas.strokeStyle = theme.text
  canvas.lineWidth = 1.5
  canvas.stroke()
  canvas.setLineDash([])
  if (share !== null) label(say('offer', { share }), (x1 * 2 + x2) / 3, (y1 * 2 + y2) / 3, theme.text)
  else if (lower) label(say('bargains'), (x1 + x2) / 2, (y1 + y2) / 2, theme.text2)
}
