import { letter, onSeat, plate, seatColour, seatDisc, seatName, type BoardContext, type Box, type Canvas } from '@polity/board'
import { letters, ringed, title } from './lettering'
import { wrapped } from './paragraph'
import { bargains, groupsOf, mergedShares, onTurn, peopled, type World } from './reading'
import { speaker } from './words'

const LABELS = 74

/** How high one bargain is drawn, where room is short, and the title over them with what the empty panel says. */
const TALL = 86
const TIGHT = 80
/** The same of one that tells no more than what accepting makes: where more are open than there is room for. */
const SHORT = 52
const HEAD = 64
/** The title alone, and a gap under what follows it. */
const TITLED = 38
/** A sentence with two names needs more. */
const NARROW = 440
const ORDER = 170

/** The height that what hangs on the answers takes. */
export function talkHeight(world: World): number {
  const open = bargains(world).length
  return world.stage === 'contract' ? ORDER : open ? TITLED + TALL * open : HEAD
}

/** What hangs on the answers that are open: what each of them would make of the shares. */
export function drawTalk(canvas: Canvas, whole: Box, world: World, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const open = bargains(world)
  const isBargained = world.stage === 'negotiation'
  const box = title(canvas, theme, whole, say(isBargained ? 'talk' : 'order'), isBargained ? say('untilStep', { n: world.social_steps }) : '')
  const name = (seat: number): string => seatName(context.seats, seat)
  let y = box.y + 4
  if (world.stage === 'contract') {
    drawOrder(canvas, box, world, context)
    return
  }
  if (!open.length) {
    letters(canvas, theme, say('nobodyBargains'), box.x + 16, y + 10, theme.text2, 'left', 13, 400, box.width - 32)
    return
  }
  const tall = open.length * TALL <= box.height - 8 ? TALL : open.length * TIGHT <= box.height ? TIGHT : SHORT
  const fits = Math.max(1, Math.floor((box.height - (open.length * tall > box.height ? 18 : 0)) / tall))
  for (const each of open.slice(0, fits)) {
    const top = y
    seatDisc(canvas, theme, each.decides, box.x + 25, top + 10, 9)
    const isNarrow = box.width < NARROW
    const told = each.asked === null
      ? say(isNarrow ? 'mustBegin' : 'mustOpen', { name: name(each.decides), other: name(each.waits) })
      : say(isNarrow ? 'asksLeaves' : 'mustAnswer', { name: name(each.decides), other: name(each.waits), n: each.asked, left: 100 - each.asked })
    letters(canvas, theme, told, box.x + 40, top + 10, theme.text, 'left', 13, 500, box.width - 54)
    const left = box.x + 16 + LABELS
    const width = box.width - LABELS - 34
    if (each.asked !== null) {
      letters(canvas, theme, say('accept'), box.x + 16, top + 34, theme.text, 'left', 12, 600)
      drawShares(canvas, context, mergedShares(world, each), left, top + 24, width, 20)
    }
    y += tall
    if (tall === SHORT) continue
    const next = top + (each.asked === null ? 31 : 54)
    letters(canvas, theme, say(each.asked === null && each.before === null ? 'firstOffer' : 'counter'), box.x + 16, next, theme.text, 'left', 12, 600)
    letters(canvas, theme, say(isNarrow ? 'counterBrief' : 'counterMeans', { other: name(each.waits) }), left, next, theme.text2, 'left', 12, 400, width)
    if (each.asked !== null || each.before !== null) {
      letters(canvas, theme, say('end'), box.x + 16, next + 17, theme.text, 'left', 12, 600)
      letters(canvas, theme, say('endMeans'), left, next + 17, theme.text2, 'left', 12, 400, width)
    }
  }
  if (open.length > fits) letters(canvas, theme, say('moreBargains', { n: open.length - fits }), box.x + 16, box.y + box.height - 8, theme.text3, 'left')
}

/** A bar of a hundred percent, a piece for each seat. */
export function drawShares(canvas: Canvas, context: Pick<BoardContext, 'theme'>, shares: readonly [number, number][], x: number, y: number, width: number, tall: number): void {
  const { theme } = context
  let at = x
  for (const [seat, percent] of shares) {
    const wide = (width * percent) / 100
    plate(canvas, { x: at, y, width: Math.max(1, wide - 1.5), height: tall }, 2, seatColour(theme, seat))
    if (wide > 22) letters(canvas, theme, `${letter(seat)} ${Math.round(percent)}`, at + wide / 2, y + tall / 2, onSeat(theme, seat), 'center', 11, 600, wide - 4)
    at += wide
  }
}

/** Who chooses when, and what joining a group means. */
function drawOrder(canvas: Canvas, box: Box, world: World, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const now = onTurn(world)
  const round = Math.floor(world.step / world.order.length) + 1
  const rounds = Math.round(world.social_steps / world.order.length)
  letters(canvas, theme, say('orderOf', { n: round, rounds }), box.x + 16, box.y + 14, theme.text, 'left', 13, 500, box.width - 30)
  const step = Math.min(40, (box.width - 32) / world.order.length)
  world.order.forEach((seat, i) => {
    const x = box.x + 16 + (i + 0.5) * step
    if (seat === now) ringed(canvas, theme, x, box.y + 44, Math.min(16, step * 0.47))
    seatDisc(canvas, theme, seat, x, box.y + 44, Math.min(12, step * 0.38))
  })
  canvas.font = `13px ${theme.font}`
  const joining = wrapped((text) => canvas.measureText(text).width, say('joinMeans'), box.width - 30)
  const lines = [...joining, say('groupsNow', { n: peopled(world).length, alone: context.seats.filter(({ seat }) => !groupsOf(world, seat).length).length })]
  lines.forEach((line, i) => letters(canvas, theme, line, box.x + 16, box.y + 78 + i * 20, theme.text2, 'left', 13, 400, box.width - 30))
}
