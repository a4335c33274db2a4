import { arrow, CellLayer, cross, definePictures, pictureContext, plate, rect, seatDisc, tagAt, type GridLayout, type Json, type ActPicture, type PictureScene, type Canvas } from '@polity/board'
import { drawScene } from './drawing'
import { drawEvent, drawThing } from './glyphs'
import { drawArcs } from './graphdrawing'
import type { World } from './reading'
import type { Link, Thing } from './shapes'
import { drawShares } from './talkdrawing'
import { Viewport } from './viewport'

/** An invented thing that nobody is told of. */
const UNKNOWN = '?'

function world(done: Partial<World>): World {
  return {
    mini_game: '', social_steps: 0, rows: 1, cols: 3, sight: 3, step: 0, horizon: 1, stage: 'physical', order: [], things: new Map(), seen: null, agents: new Map(), creatures: [],
    bags: new Map(), returns: new Map(), gains: new Map(), made: new Map(), groups: [], links: [], messages: [], resources: [], recipes: [], bodies: [], ...done,
  }
}

/** Three places of the map in a row. */
function places(canvas: Canvas, scene: PictureScene, agents: readonly [seat: number, cell: number][], things: readonly [cell: number, thing: Omit<Thing, 'cell'>][] = []): GridLayout {
  const drawn = world({ agents: new Map(agents), things: new Map(things) })
  const grid = drawScene(canvas, scene.width, scene.height, { world: drawn, earlier: null, context: pictureContext(scene), progress: 1 }, new CellLayer(), new Viewport()).field.grid
  // On the map the places stand by their number; three of them alone need an edge.
  for (let col = 0; col < drawn.cols; col++) rect(canvas, grid.left(col) + 0.5, grid.top(0) + 0.5, grid.size - 1, grid.size - 1, { edge: scene.theme.line })
  return grid
}

function way(canvas: Canvas, { theme }: PictureScene, layout: GridLayout, from: number, to: number): void {
  const [a, b] = [layout.middle({ row: 0, col: from }), layout.middle({ row: 0, col: to })]
  const ahead = Math.sign(to - from)
  arrow(canvas, a.x + ahead * 21, a.y, b.x + ahead * 12, b.y, { end: 'head', colour: theme.text, casing: theme.surface, width: 2.4 })
}

const named = (value: Json | undefined): string => (typeof value === 'string' && value ? value : UNKNOWN)
const listed = (value: Json | undefined): string[] => (Array.isArray(value) && value.length ? value.map(named) : [UNKNOWN, UNKNOWN])
const pile = (name: string): Omit<Thing, 'cell'> => ({ block: false, event: null, stack: [[name, 1]] })

/** You and another, and what goes from one to the other over your heads. */
function arcs(canvas: Canvas, scene: PictureScene, done: Partial<World>): { y: number; middle: number } {
  const { theme, you, other, width, height } = scene
  const y = height - 14
  const x = new Map([[you, 20], [other, width - 20]])
  drawArcs(canvas, { x: 0, y: 0, width, height }, world({ stage: 'negotiation', ...done }), pictureContext(scene), x, y, 12, height - 26)
  for (const [seat, at] of x) seatDisc(canvas, theme, seat, at, y, 12)
  return { y, middle: width / 2 }
}

const link = (from: number, to: number, more: Partial<Link>): Link => ({ from, to, shows_map: false, reward: 0, parity: null, proposal: null, ...more })
/** An open bargain in which the first has asked for its side. */
const asked = (by: number, to: number, share: number): Link[] => [link(by, to, { parity: 1, proposal: share }), link(to, by, { parity: 0 })]

/** A frame round those who are in it, and what each of them gets. */
function together(canvas: Canvas, { theme, you, other, width, height }: PictureScene, shares: readonly [number, number][], isIn = true): void {
  plate(canvas, { x: isIn ? 1.5 : width / 2 - 8, y: 1.5, width: isIn ? width - 3 : width / 2 + 6, height: 30 }, 6, theme.void, theme.line2, 1.2)
  seatDisc(canvas, theme, you, isIn ? width / 2 - 22 : 18, 16.5, 11)
  seatDisc(canvas, theme, other, width / 2 + 22, 16.5, 11)
  drawShares(canvas, { theme }, shares, 1, height - 22, width - 2, 20)
}

const acts: Readonly<Record<string, ActPicture>> = {
  group: (canvas, scene) => together(canvas, scene, [[scene.you, 50], [scene.other, 50]]),
  ask: (canvas, scene) => void arcs(canvas, scene, { messages: [{ from: scene.you, to: scene.other, text: '' }, { from: scene.other, to: scene.you, text: '' }] }),
  propose: (canvas, scene) => void arcs(canvas, scene, { links: asked(scene.you, scene.other, 60) }),
  accept: (canvas, scene) => together(canvas, scene, [[scene.other, 60], [scene.you, 40]]),
  end: (canvas, scene) => {
    const { y, middle } = arcs(canvas, scene, { links: asked(scene.other, scene.you, 80) })
    cross(canvas, middle, y - 4, scene.theme.warnMark, 7)
  },
  move: (canvas, scene) => way(canvas, scene, places(canvas, scene, [[scene.you, 0]]), 0, 1),
  gather: (canvas, scene) => {
    const thing = named(scene.facts.thing)
    const layout = places(canvas, scene, [[scene.you, 0]], [[0, pile(thing)]])
    way(canvas, scene, layout, 0, 1)
    inBag(canvas, scene, layout, thing, '+1')
  },
  craft: (canvas, { theme, facts, height, width }) => {
    const y = height / 2
    const inputs = listed(facts.inputs).slice(0, 3)
    inputs.forEach((name, i) => drawThing(canvas, theme, name, 14 + i * 24, y, 20))
    const from = 14 + inputs.length * 24
    arrow(canvas, from - 6, y, from + 14, y, { end: 'head', colour: theme.text, casing: theme.surface, width: 2.2 })
    const made = named(facts.event)
    if (made === UNKNOWN) drawThing(canvas, theme, UNKNOWN, Math.min(width - 14, from + 30), y, 22)
    else drawEvent(canvas, theme, made, Math.min(width - 16, from + 32), y, 30, theme.text)
  },
  drop: (canvas, scene) => {
    const thing = named(scene.facts.thing)
    const layout = places(canvas, scene, [[scene.you, 0]], [[0, pile(thing)]])
    way(canvas, scene, layout, 2, 1)
    inBag(canvas, scene, layout, thing, '−1')
  },
  join: (canvas, scene) => together(canvas, scene, [[scene.you, 50], [scene.other, 50]]),
  message: (canvas, scene) => void arcs(canvas, scene, { messages: [{ from: scene.you, to: scene.other, text: '…' }] }),
  show: (canvas, scene) => void arcs(canvas, scene, { links: [link(scene.you, scene.other, { shows_map: true })] }),
  leave: (canvas, scene) => together(canvas, scene, [[scene.you, 100]], false),
  pass_on: (canvas, scene) => void arcs(canvas, scene, { links: [link(scene.you, scene.other, { reward: 0.3 })] }),
  ballot: (canvas, scene) => together(canvas, scene, [[scene.you, 60], [scene.other, 40]]),
  trust: (canvas, scene) => void arcs(canvas, scene, { links: [link(scene.you, scene.other, { shows_map: true })] }),
  weigh: (canvas, scene) => together(canvas, scene, [[scene.you, 30], [scene.other, 70]]),
}

/** What the bag has more or less of. */
function inBag(canvas: Canvas, { theme }: PictureScene, layout: GridLayout, thing: string, change: string): void {
  const { x, y } = layout.middle({ row: 0, col: 2 })
  drawThing(canvas, theme, thing, x - 8, y, 18)
  tagAt(canvas, theme, change, x + 11, y - 10)
}

export default definePictures({ height: 56, acts })
