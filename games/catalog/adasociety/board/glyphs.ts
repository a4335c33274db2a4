import { ink as inked, rect, write, type SignPath, type Theme, type Canvas } from '@polity/board'
import { short } from './words'

/** A part of a sign on a square of sixteen units: a filled shape, or a line of a width. */
interface Stroke {
  d: string
  line?: number
}

/** The ink of a thing on a light ground and on a dark one. */
interface Glyph {
  strokes: readonly Stroke[]
  ink: readonly [light: string, dark: string]
}

const fill = (d: string): Stroke => ({ d })
const line = (width: number, d: string): Stroke => ({ d, line: width })
const ring = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`

/** Every built-in resource as a silhouette that still reads at twelve pixels. */
const GLYPHS: Readonly<Record<string, Glyph>> = {
  wood: { strokes: [fill('M8 .5l5 6.2h-2.3l3.5 4.9H1.8l3.5-4.9H3zM6.6 11.6h2.8v4H6.6z')], ink: ['#2f7434', '#83cc82'] },
  stone: { strokes: [fill('M3.6 4.2L9.4 2l5 4.3l1.2 5.6l-2.9 2.9H2.9L.5 10.2z')], ink: ['#66707c', '#aab5c1'] },
  coal: { strokes: [fill(ring(8, 4.4, 3.5)), fill(ring(4.1, 11.4, 3.6)), fill(ring(11.9, 11.4, 3.6))], ink: ['#23272d', '#dfe3e8'] },
  iron: { strokes: [line(3.6, 'M3.6 4.6v4.2a4.4 4.6 0 0 0 8.8 0V4.6'), fill('M1.6 1h4v2.4h-4zM10.4 1h4v2.4h-4z')], ink: ['#375f94', '#92bbee'] },
  clay: { strokes: [line(2.4, 'M1.4 4q2.2-2.8 4.4 0t4.4 0t4.4 0'), line(2.4, 'M1.4 8.6q2.2-2.8 4.4 0t4.4 0t4.4 0'), line(2.4, 'M1.4 13.2q2.2-2.8 4.4 0t4.4 0t4.4 0')], ink: ['#a34e26', '#eb9d72'] },
  gem_mine: { strokes: [fill('M.4 15L5.6 2.4l3 4.6l2-2.8L15.6 15h-4.4L8 8.6L4.8 15z'), fill('M8 10.4l2.2 2.6L8 15.6L5.8 13z')], ink: ['#7b3a94', '#d29fe6'] },
  hammer: { strokes: [fill('M6.2 1.2l8.6 6.2l-2.6 3.6l-3-2.2l-5.6 7l-2.6-2l5.6-7l-3-2.2z')], ink: ['#6d4a16', '#dcb273'] },
  torch: { strokes: [fill('M8.2.2c.5 2.4 3.8 3.4 3.8 6.4a3.9 3.4 0 0 1-7.8 0c0-1.9 1.5-2.4 1.7-4c1 .4 2-.7 2.3-2.4zM3.6 10.6h8.8l-1.3 1.7H9.6L9.2 16H6.8l-.4-3.7H4.9z')], ink: ['#b8400f', '#ff9a5e'] },
  steel: { strokes: [fill('M1.2 1.8h13.6v3.4h-4.6v5.6h4.6v3.4H1.2v-3.4h4.6V5.2H1.2z')], ink: ['#1f6b76', '#7fcfdb'] },
  shovel: { strokes: [fill('M5 .3h6v2.2H9.1v5.1h3.6v3.2c0 2.6-2.9 4.2-4.7 5c-1.8-.8-4.7-2.4-4.7-5V7.6h3.6V2.5H5z')], ink: ['#5d5a14', '#cbc66c'] },
  pickaxe: { strokes: [fill('M.3 8.4C2.2-.2 13.8-.2 15.7 8.4C13.4 5.6 11 4.8 9.4 4.6v11.2H6.6V4.6C5 4.8 2.6 5.6.3 8.4z')], ink: ['#7d2b2b', '#ee9d9d'] },
  pottery: { strokes: [fill('M4.8.4h6.4v2.2h-1v1.6c4 1.4 4 5 2.3 7.7c-1.2 1.8-1.9 2.2-1.9 3.7H5.4c0-1.5-.7-1.9-1.9-3.7C1.8 9.2 1.8 5.6 5.8 4.2V2.6h-1z')], ink: ['#8c5a2b', '#deb07e'] },
  cutter: { strokes: [line(2.1, 'M3.6 1.4l6.9 9.4M12.4 1.4l-6.9 9.4'), line(2, ring(3.9, 12.6, 2.2)), line(2, ring(12.1, 12.6, 2.2))], ink: ['#43505e', '#b5c4d4'] },
  gem: { strokes: [fill('M4 1.6h8l3.5 3.9H.5zM.5 6.8h15L8 15.2z')], ink: ['#b01f74', '#ff8dcb'] },
  creature: { strokes: [fill('M1 1.5l3.6 2.4h6.8L15 1.5l-.6 7.2L8 15.4L1.6 8.7zM4.6 6.4v1.8h2V6.4zM9.4 6.4v1.8h2V6.4z')], ink: ['#a01818', '#ff8a80'] },
  totem: { strokes: [fill('M5 .3h6v2.8h4.6l-2.3 3.6H11v2.2h2.5v2.5H11v4.3H5v-4.3H2.5V8.9H5V6.7H2.7L.4 3.1H5z')], ink: ['#85600a', '#edc25b'] },
}

/** The name under which a hostile creature is drawn */
export const CREATURE = 'creature'

/** What each built-in event makes: it is drawn as that, standing on a bench. */
const MAKES: Readonly<Record<string, string>> = {
  hammer_craft: 'hammer', torch_craft: 'torch', steel_making: 'steel', potting: 'pottery', shovel_craft: 'shovel',
  pickaxe_craft: 'pickaxe', cutter_craft: 'cutter', gem_cutting: 'gem', totem_making: 'totem',
}

const BENCH = 'M.6 12.8h14.8v1.6h-1.2V16h-2v-1.6H3.8V16h-2v-1.6H.6z'

const shapes = new Map<string, Path2D>()

function shape(d: string): Path2D {
  let made = shapes.get(d)
  if (!made) shapes.set(d, (made = new Path2D(d)))
  return made
}

/** The colour of a thing; that of words for one that was invented for a run. */
export function inkOf(name: string, theme: Theme): string {
  return GLYPHS[name]?.ink[theme.isDark ? 1 : 0] ?? theme.text
}

/** A thing as its silhouette, its middle at (x, y); one that has none as its first two letters on a plate. */
export function drawThing(canvas: Canvas, theme: Theme, name: string, x: number, y: number, size: number, ink = inkOf(name, theme)): void {
  const glyph = GLYPHS[name]
  if (!glyph) {
    rect(canvas, x - size / 2 + 0.5, y - size / 2 + 0.5, size - 1, size - 1, { edge: ink })
    write(canvas, theme, short(name), x, y + 0.5, { size: Math.max(8, Math.min(12, size * 0.6)), weight: 600, colour: ink, align: 'center', most: size - 2 })
    return
  }
  drawStrokes(canvas, glyph.strokes, x - size / 2, y - size / 2, size, ink)
}

/** A place where something is made: the thing, quiet, on a bench. */
export function drawEvent(canvas: Canvas, theme: Theme, name: string, x: number, y: number, size: number, ink: string): void {
  drawThing(canvas, theme, MAKES[name] ?? name, x, y - size * 0.12, size * 0.74, ink)
  drawStrokes(canvas, [fill(BENCH)], x - size / 2, y - size / 2, size, ink)
}

function drawStrokes(canvas: Canvas, strokes: readonly Stroke[], x: number, y: number, size: number, ink: string): void {
  canvas.save()
  canvas.translate(x, y)
  canvas.scale(size / 16, size / 16)
  canvas.lineCap = 'round'
  canvas.lineJoin = 'round'
  for (const { d, line: thick } of strokes) inked(canvas, thick === undefined ? { fill: ink } : { edge: ink, thick }, shape(d))
  canvas.restore()
}

/** The same as paths for a legend: an event on its bench where `bench` says so. */
export function signPaths(name: string, theme: Theme, bench = false): SignPath[] {
  const glyph = GLYPHS[bench ? (MAKES[name] ?? name) : name]
  const ink = bench ? 'text-2' : inkOf(name, theme)
  const strokes = glyph?.strokes ?? [line(1.4, 'M2 2h12v12h-12z')]
  const transform = bench ? 'translate(2.1 0) scale(.74)' : ''
  const paths = strokes.map(({ d, line: width }) => ({ d, ...(width === undefined ? { fill: ink } : { stroke: ink, width }), transform }))
  return bench ? [...paths, { d: BENCH, fill: ink, transform: '' }] : paths
}
