import { arrow, definePictures, factNumber, number, pictureContext, rect, seatDisc, tagAt, type GridLayout, type Json, type ActPicture, type PictureScene, type Canvas } from '@polity/board'
import { drawMap } from './mapdrawing'
import { NONE, STONE, WOOD, type Economy, type Schedule, type Worker } from './reading'
import { text } from './strokes'
import { drawPeople, drawSteps } from './taxdrawing'
import { speaker } from './words'

/** What is drawn where the settings name no brackets. */
const BRACKETS: Schedule = [[0, 0.1], [10, 0.25], [30, 0.45]]

/** Three places in a row: what they bear, whose house stands there, who is where. */
function places(canvas: Canvas, scene: PictureScene, bears: readonly number[], workers: readonly [seat: number, cell: number][] = [], houses: Economy['houses'] = []): GridLayout {
  const found = workers.map(([seat, cell]) => ({ seat, cell, frozen: null }) as unknown as Worker)
  const book = { bids: [], asks: [], price: null, qty: null }
  const economy: Economy = {
    rows: 1, cols: bears.length, epoch: 0, epochs: 1, step: 0, steps: 1, planning: false, bears, stock: bears.map((kind) => (kind === NONE ? 0 : 5)), houses,
    ownerOf: new Map(), workers: found, at: new Map(found.map((worker) => [worker.cell ?? 0, [worker]])), schedule: [], before: [], damping: 0, smoothing: 0,
    falling: false, energy: 0, redistribution: 'none', treasury: 0, fee: 0, house_cost: [0, 0], books: { wood: book, stone: book }, report: null,
  }
  return drawMap(canvas, scene.width, scene.height, economy, null, { ...pictureContext(scene), as: null }, 1)
}

function way(canvas: Canvas, { theme }: PictureScene, layout: GridLayout, from: number, to: number): void {
  const { x: x1, y } = layout.middle({ row: 0, col: from })
  const { x: x2 } = layout.middle({ row: 0, col: to })
  arrow(canvas, x1 + 12, y, x2 - 4, y, { end: 'head', colour: theme.text, casing: theme.surface, width: 2.4 })
}

/** The steps of the brackets, and who stands where under them. */
function brackets(canvas: Canvas, scene: PictureScene, schedule: Schedule, before: Schedule, people: readonly { seat: number; earned: number; reported: number }[]): void {
  const { theme, width, height } = scene
  const reach = (schedule.at(-1)?.[0] ?? 0) * 1.6 || 10
  const peak = Math.max(0.1, ...[...schedule, ...before].map(([, rate]) => rate))
  const base = height - 22
  const x = (income: number): number => 6 + (Math.min(income, reach) / reach) * (width - 12)
  const y = (rate: number): number => base - (rate / peak) * (base - 8)
  rect(canvas, 6, base, width - 12, 1, { fill: theme.grid })
  if (before.length) drawSteps(canvas, before, x, y, reach, theme.inkSoft, 1.2, [3, 3])
  drawSteps(canvas, schedule, x, y, reach, theme.ink, 2.2, [])
  drawPeople(canvas, theme, people, (income) => x(income * reach), height - 10, height - 10)
}

function scheduleOf(value: Json | undefined): Schedule {
  const given = Array.isArray(value) ? value.filter((one): one is [number, number] => Array.isArray(one) && typeof one[0] === 'number' && typeof one[1] === 'number') : []
  return given.length > 1 ? given : BRACKETS
}

const at = (seat: number, share: number, reported = share) => ({ seat, earned: share, reported })

/** Two bars, this epoch's income and the next one's, with a part that goes over. */
const deferred: ActPicture = (canvas, { theme, width, height, facts }) => {
  const part = Math.min(0.6, Math.max(0.2, factNumber(facts.share, 0.3)))
  const [wide, tall, base] = [30, height - 16, height - 6]
  for (const [i, x] of [18, width - 18 - wide].entries()) {
    rect(canvas, x, base - tall * (i ? 0.55 : 1 - part), wide, tall * (i ? 0.55 : 1 - part), { fill: theme.inkSoft })
    const moved = { y: base - (i ? tall * (0.55 + part) : tall), height: tall * part }
    rect(canvas, x + 0.5, moved.y + 0.5, wide - 1, moved.height - 1, { edge: theme.text, thick: 1.2, dash: i ? [] : [3, 3] })
  }
  arrow(canvas, 18 + wide + 6, height / 3, width - 18 - wide - 6, height / 3, { end: 'head', colour: theme.text, casing: theme.surface, width: 2 })
}

const trade: ActPicture = (canvas, scene) => {
  const { theme, you, other, width, height } = scene
  const say = speaker(pictureContext(scene))
  const rows: readonly [number, number, string][] = [[you, other, say('wood')], [other, you, say('coinAxis')]]
  rows.forEach(([from, , word], i) => {
    const y = height / 2 + (i ? 13 : -13)
    const [x1, x2] = from === you ? [36, width - 36] : [width - 36, 36]
    arrow(canvas, x1, y, x2, y, { end: 'head', colour: theme.text, casing: theme.surface, width: 1.8 })
    tagAt(canvas, theme, word, width / 2, y)
  })
  seatDisc(canvas, theme, you, 18, height / 2, 13)
  seatDisc(canvas, theme, other, width - 18, height / 2, 13)
}

const acts: Readonly<Record<string, ActPicture>> = {
  move: (canvas, scene) => way(canvas, scene, places(canvas, scene, [NONE, NONE, NONE], [[scene.you, 0]]), 0, 1),
  gather: (canvas, scene) => {
    const layout = places(canvas, scene, [WOOD, NONE, NONE])
    const { x, y } = layout.middle({ row: 0, col: 0 })
    seatDisc(canvas, scene.theme, scene.you, x + layout.size * 0.24, y + layout.size * 0.24, layout.size * 0.24)
    way(canvas, scene, layout, 0, 1)
    tagAt(canvas, scene.theme, `+1 ${speaker(pictureContext(scene))('wood')}`, layout.middle({ row: 0, col: 2 }).x - 8, y)
  },
  build: (canvas, scene) => {
    const layout = places(canvas, scene, [WOOD, STONE, NONE], [], [[2, scene.you]])
    const { theme, facts } = scene
    ;['wood', 'stone'].forEach((name, col) => text(canvas, theme, number(factNumber(facts[name])), layout.left(col) + layout.size - 4, layout.top(0) + layout.size - 4, 'right', theme.text, 12, 600))
    const { y } = layout.middle({ row: 0, col: 0 })
    arrow(canvas, layout.left(2) - 8, y, layout.left(2) + 8, y, { end: 'head', colour: theme.text, casing: theme.surface, width: 2.2 })
  },
  trade,
  tax: (canvas, scene) => brackets(canvas, scene, scheduleOf(scene.facts.brackets), [], [at(scene.you, 0.5), at(scene.other, 0.82)]),
  defer: deferred,
  hide: (canvas, scene) => brackets(canvas, scene, scheduleOf(scene.facts.brackets), [], [at(scene.you, 0.72, 0.45)]),
  rates: (canvas, scene) => {
    const now = scheduleOf(scene.facts.brackets)
    const draft = now.map(([low, rate], i): [number, number] => [low, i === now.length - 1 ? Math.min(1, rate + 0.2) : rate])
    brackets(canvas, scene, draft, now, [at(0, 0.2), at(1, 0.5), at(2, 0.85)])
  },
  collected: (canvas, scene) => brackets(canvas, scene, scheduleOf(scene.facts.brackets), [], [at(0, 0.2), at(1, 0.5), at(2, 0.85)]),
  audit: (canvas, scene) => brackets(canvas, scene, scheduleOf(scene.facts.brackets), [], [at(0, 0.2), at(1, 0.72, 0.45)]),
}

export default definePictures({ height: 64, acts })

