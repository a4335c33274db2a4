import { inRow, line, number, rect, seatDisc, seatName, widthOf, type BoardContext, type Box, type Canvas } from '@polity/board'
import { isSocial, standings } from './agreeing'
import { drawThing } from './glyphs'
import { round } from './grid'
import { letters } from './lettering'
import { groupsOf, type Amounts, type World } from './reading'
import { speaker } from './words'

const HEAD = 24
/** A narrower table tells neither groups nor what the step brought. */
const NARROW = 420

/**
 * Who has what: seats by reward, each with its groups, what it holds, and what the step brought it. While nobody moves
 * nobody has anything new: then what each is at, its group and its share, and first who must decide.
 */
export function drawTable(canvas: Canvas, box: Box, world: World, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const agreeing = isSocial(world) ? new Map(standings(world, context).map((each) => [each.seat, each])) : null
  const byReward = (a: number, b: number): number => (world.returns.get(b) ?? -Infinity) - (world.returns.get(a) ?? -Infinity) || a - b
  const rows = agreeing ? [...agreeing.keys()] : context.seats.map(({ seat }) => seat).sort(byReward)
  const room = Math.max(1, Math.floor((box.height - HEAD - 4) / 17))
  const shown = rows.slice(0, rows.length > room ? room - 1 : rows.length)
  const tall = Math.min(24, (box.height - HEAD - 4) / Math.max(1, Math.min(rows.length, room)))
  const left = box.x + 8
  const right = box.x + box.width - 10
  const name = left + 24
  const widest = Math.max(...shown.map((seat) => widthOf(canvas, theme, seatName(context.seats, seat), 12, 500)), 30)
  const isNarrow = !agreeing && box.width < NARROW
  const group = name + Math.min(widest, box.width * 0.3) + 12
  const holds = isNarrow ? group : group + 50
  const gain = isNarrow ? right - 10 : right - 58
  const put = (text: string, x: number, y: number, colour: string, align: CanvasTextAlign = 'left', weight = 400, most?: number): void =>
    letters(canvas, theme, text, x, y - 0.5, colour, align, 12, weight, most)
  const y0 = box.y + HEAD / 2
  put(say('seat'), left, y0, theme.text3)
  if (agreeing) {
    put(say('doing'), group, y0, theme.text3)
    put(say('groupColumn'), gain, y0, theme.text3, 'right')
    put(say('share'), right, y0, theme.text3, 'right')
  } else {
    if (!isNarrow) put(say('groupColumn'), group, y0, theme.text3)
    put(say('bag'), holds, y0, theme.text3)
    if (!isNarrow) put(say('stepGain'), gain, y0, theme.text3, 'right')
    put(say('reward'), right, y0, theme.text3, 'right')
  }
  shown.forEach((seat, i) => {
    const y = box.y + HEAD + i * tall + tall / 2
    if (seat === context.as) rect(canvas, box.x, y - tall / 2, box.width, tall, { fill: theme.void })
    const edge = Math.round(y - tall / 2) - 0.5
    line(canvas, [[box.x, edge], [box.x + box.width, edge]], { edge: theme.line })
    seatDisc(canvas, theme, seat, left + 8, y, Math.min(9, tall * 0.42))
    put(seatName(context.seats, seat), name, y, theme.text, 'left', 500, group - name - 8)
    const at = agreeing?.get(seat)
    if (at) {
      const most = gain - 44 - group
      const weight = at.decides ? 500 : 400
      put(widthOf(canvas, theme, at.doing, 12, weight) > most ? at.brief : at.doing, group, y, at.decides ? theme.accent : theme.text2, 'left', weight, most)
      put(at.group === null ? say('alone') : String(at.group), gain, y, at.group === null ? theme.text3 : theme.text, 'right', 400, 42)
      put(`${at.percent}%`, right, y, theme.text, 'right', 600, 42)
      return
    }
    const own = groupsOf(world, seat).map((each) => each.number)
    if (!isNarrow) put(own.length ? inRow(own, context.lang) : say('alone'), group, y, own.length ? theme.text : theme.text3, 'left', 400, 46)
    drawBag(canvas, context, world.bags.get(seat), holds, y, gain - 42 - holds)
    const gained = world.gains.get(seat) ?? 0
    if (gained && !isNarrow) put(`${gained > 0 ? '▲' : '▼'} ${number(round(Math.abs(gained)))}`, gain, y, gained > 0 ? theme.goodMark : theme.warnMark, 'right', 500)
    const reward = world.returns.get(seat)
    put(reward === undefined ? '–' : number(Math.round(reward * 10) / 10), right, y, theme.text, 'right', 600, 42)
  })
  if (shown.length < rows.length) put(say('moreSeats', { n: rows.length - shown.length }), name, box.y + HEAD + shown.length * tall + tall / 2, theme.text3)
}

/** What a bag holds, dearest last made first as far as there is room: signs with numbers. */
function drawBag(canvas: Canvas, context: BoardContext, bag: Amounts | undefined, x: number, y: number, width: number): void {
  const { theme } = context
  if (!bag?.length) {
    letters(canvas, theme, bag ? '0' : '–', x, y - 0.5, theme.text3, 'left')
    return
  }
  const each = 32
  const room = Math.max(1, Math.floor(width / each))
  const sorted = [...bag].reverse()
  const shown = sorted.slice(0, sorted.length > room ? room - 1 : room)
  shown.forEach(([name, units], i) => {
    drawThing(canvas, theme, name, x + i * each + 7, y, 14)
    letters(canvas, theme, String(units), x + i * each + 16, y, theme.text, 'left')
  })
  if (shown.length < sorted.length) letters(canvas, theme, `+${sorted.length - shown.length}`, x + shown.length * each, y, theme.text3, 'left')
}
