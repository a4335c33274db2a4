import {
  arrow, boxLine, cross, dottedLine, flowLine, number, onSeat, placeTags, plate, rect, seatBox, seatColour, seatLetter, seatName, shape, tag, tagWidth, widthOf, write, type BoardContext, type Box, type Line, type Theme,
  type Canvas,
} from '@polity/board'
import { HEAD, layoutWorld, type WorldLayout } from './layout'
import { flows, staged, type Nation, type Scenery } from './reading'
import { speaker } from './words'

interface Scene {
  world: Scenery
  context: BoardContext
  layout: WorldLayout
}

interface Label {
  text: string
  line: Line
  colour: string
}

/** Words lie lowest, then gifts, then attacks; cards cover their ends; labels come last, those of war first to find room. */
export function drawWorld(canvas: Canvas, scene: Scene, width: number, height: number): void {
  const { world, context, layout } = scene
  talk(canvas, scene)
  const gifts = [...grants(canvas, scene), ...cessions(canvas, scene)]
  const labels = [...attacks(canvas, scene), ...gifts]
  const best = Math.max(1, ...world.nations.map(({ welfare }) => welfare ?? 0))
  for (const nation of world.nations) {
    const box = layout.cards[nation.seat]
    if (box) card(canvas, scene, nation, box, best)
  }
  if (!layout.isRoomy) return
  const tags = labels.map(({ text, line }) => ({ line, width: tagWidth(canvas, context.theme, text) }))
  const boxes = placeTags(tags, layout.cards, { x: 2, y: 2, width: width - 4, height: height - 4 })
  for (const [i, { text, colour }] of labels.entries()) {
    const box = boxes[i]
    if (box) tag(canvas, context.theme, text, box, colour)
  }
}

function path({ layout }: Scene, by: number, to: number, shift: number): Line | null {
  const [from, end] = [layout.cards[by], layout.cards[to]]
  return from && end ? boxLine(from, end, shift) : null
}

function talk(canvas: Canvas, scene: Scene): void {
  const { world, context } = scene
  for (const word of world.words) {
    const hearers = word.to ?? world.nations.map(({ seat }) => seat).filter((seat) => seat !== word.by)
    for (const to of hearers) {
      const line = path(scene, word.by, to, 2)
      if (line) dottedLine(canvas, line, context.theme.text3, 1.2, 2)
    }
  }
}

function grants(canvas: Canvas, scene: Scene): Label[] {
  const { theme } = scene.context
  const found = flows(scene.world.grants)
  const richest = Math.max(1, ...found.map(({ paid }) => paid))
  return found.flatMap((grant): Label[] => {
    const line = path(scene, grant.by, grant.to, 9)
    if (!line) return []
    const { wanted, paid, arrived } = grant
    if (!paid) {
      dottedLine(canvas, line, theme.text2, 1.5)
      cross(canvas, line.x1, line.y1, theme.text2)
      return [{ text: `✕ ${short(wanted ?? 0)} → 0`, line, colour: theme.text2 }]
    }
    flowLine(canvas, theme, line, theme.goodMark, 1.5 + 5 * (paid / richest))
    const told = wanted !== null && wanted > paid ? `${short(paid)}/${short(wanted)}` : short(paid)
    return [{ text: `${told} → ${short(arrived)}`, line, colour: theme.goodMark }]
  })
}

function cessions(canvas: Canvas, scene: Scene): Label[] {
  const { theme } = scene.context
  const between = new Map<string, { by: number; to: number; land: number[] }>()
  for (const { by, to, territory } of scene.world.cessions) {
    const one = between.get(`${by}-${to}`) ?? { by, to, land: [] }
    one.land.push(territory)
    between.set(`${by}-${to}`, one)
  }
  return [...between.values()].flatMap(({ by, to, land }): Label[] => {
    const line = path(scene, by, to, 17)
    if (!line) return []
    arrow(canvas, line.x1, line.y1, line.x2, line.y2, { end: 'head', colour: theme.accent, casing: theme.surface, width: 2 })
    return [{ text: `▦ ${land.join(', ')}`, line, colour: theme.accent }]
  })
}

function attacks(canvas: Canvas, scene: Scene): Label[] {
  const { theme } = scene.context
  const say = speaker(scene.context)
  const largest = Math.max(1, ...scene.world.attacks.map(({ mils }) => mils))
  return scene.world.attacks.flatMap(({ by, on, mils, damage }): Label[] => {
    const line = path(scene, by, on, -8)
    if (!line) return []
    arrow(canvas, line.x1, line.y1, line.x2, line.y2, { end: 'head', colour: theme.warnMark, casing: theme.surface, width: 2 + 3.5 * (mils / largest) })
    return [{ text: say('tagAttack', { n: mils, damage: short(damage) }), line, colour: theme.warnMark }]
  })
}

function short(value: number): string {
  return number(Math.round(value * 10) / 10)
}

function card(canvas: Canvas, { world, context, layout }: Scene, nation: Nation, box: Box, best: number): void {
  const { theme } = context
  const { side, perRow, isRoomy } = layout
  const chosen = context.selected?.col === nation.seat || context.focused?.col === nation.seat
  plate(canvas, box, 4, theme.surface, chosen ? theme.accent : theme.line2, chosen ? 2 : 1)
  const left = box.x + 7
  const top = box.y + (isRoomy ? HEAD : 3)
  if (isRoomy) {
    seatBox(canvas, theme, nation.seat, left, box.y + 4, 15, 15, 2)
    seatLetter(canvas, theme, nation.seat, left + 7.5, box.y + 11.5, 11)
    write(canvas, theme, seatName(context.seats, nation.seat), left + 20, box.y + 12, { weight: 600, most: box.width - 50 })
    write(canvas, theme, String(nation.territories.length), box.x + box.width - 7, box.y + 12, { size: 11, colour: theme.text2, align: 'right' })
  }
  nation.territories.forEach((territory, i) => {
    const x = left + (i % perRow) * side
    const y = top + Math.floor(i / perRow) * side
    land(canvas, theme, world, nation.seat, territory, x, y, side - 1)
  })
  if (!isRoomy) return
  army(canvas, context, nation, left, box.y + box.height - 22, box.width - 14)
  const share = (nation.welfare ?? 0) / best
  rect(canvas, left, box.y + box.height - 8, box.width - 14, 4, { fill: theme.grid })
  if (nation.welfare !== null) rect(canvas, left, box.y + box.height - 8, (box.width - 14) * share, 4, { fill: seatColour(theme, nation.seat) })
}

function land(canvas: Canvas, theme: Theme, world: Scenery, seat: number, territory: number, x: number, y: number, size: number): void {
  seatBox(canvas, theme, seat, x, y, size, size, 1)
  const first = world.first[territory - 1] ?? seat
  if (first !== seat) shape(canvas, [[x + size - size * 0.45, y], [x + size, y], [x + size, y + size * 0.45]], { fill: seatColour(theme, first), edge: theme.surface })
  // Text of less than 11 px is not read: a smaller square is a colour alone, and its number stands in the words.
  if (size < 19) return
  const full = size >= 27
  if (full) seatLetter(canvas, theme, seat, x + size * 0.3, y + size * 0.32, 11)
  const look = { size: 11, colour: onSeat(theme, seat) }
  if (full) write(canvas, theme, String(territory), x + size - 3, y + size - 4, { ...look, align: 'right', base: 'alphabetic' })
  else write(canvas, theme, String(territory), x + size / 2, y + size / 2 + 0.5, { ...look, align: 'center' })
}

/** A bar for each mil; those that were lost or left in the turn are outlined. */
function army(canvas: Canvas, context: BoardContext, nation: Nation, x: number, y: number, width: number): void {
  const { theme } = context
  const say = speaker(context)
  const { army, gone } = nation
  if (army === null) {
    write(canvas, theme, say('unknownArmy'), x, y + 4, { size: 11, colour: theme.text2, most: width })
    return
  }
  const told = gone ? say('milsChange', { from: army + gone, n: army }) : army ? say('mils', { n: army }) : say('noArmy')
  const room = Math.max(0, Math.floor((width - widthOf(canvas, theme, told, 11) - 6) / 5))
  const shown = Math.min(army, room)
  const outlined = Math.min(gone, room - shown)
  for (let i = 0; i < shown + outlined; i++) {
    if (i < shown) rect(canvas, x + i * 5, y - 1, 3.5, 10, { fill: theme.text })
    else rect(canvas, x + i * 5 + 0.5, y - 0.5, 3, 9, { edge: theme.warnMark })
  }
  write(canvas, theme, told, x + (shown + outlined) * 5 + (shown + outlined ? 4 : 0), y + 4, { size: 11, colour: theme.text2 })
}

/** The small picture on the game's card: four nations, a gift and an attack. */
export function drawPicture(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const world = staged([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3], { army: 3, welfare: 10 }, {
    attacks: [{ by: 2, on: 1, mils: 3, lost: 0, damage: 30 }],
    grants: [{ by: 0, to: 3, wanted: 20, paid: 20, arrived: 40 }, { by: 3, to: 0, wanted: 20, paid: 20, arrived: 40 }],
  })
  const context = { theme, seats: [], lang: 'en', selected: null, focused: null, bare: true } as unknown as BoardContext
  drawWorld(canvas, { world, context, layout: layoutWorld(width, height, world.nations, true) }, width, height)
}
