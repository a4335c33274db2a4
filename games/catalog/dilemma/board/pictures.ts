import { write, definePictures, factNumber, number, pictureContext, talking, type ActPicture } from '@polity/board'
import { drawStrip } from './drawing'
import type { BoardLayout } from './layout'
import { matchOf, SEATS } from './reading'
import { tellingOf } from './telling'

const LEFT = 34
const COLUMN = 30
const ROW = 26
const GAP = 6

/** One round of the two strips, and what it pays to each. */
const outcome: ActPicture = (canvas, scene) => {
  const { theme, you, facts, height } = scene
  const chosen = typeof facts.moves === 'string' ? facts.moves : 'CC'
  const moves: [string, string] = [chosen[you === 0 ? 0 : 1] ?? 'C', chosen[you === 0 ? 1 : 0] ?? 'C']
  const points = [factNumber(facts.mine), factNumber(facts.theirs)]
  const labels = facts.labels === 'neutral' || facts.labels === 'framed' ? facts.labels : 'letters'
  const view = { moves, rounds: 1, totals: null, payoffs: {}, horizon: null, stop_prob: null, noise: [0, 0], talk: false, said: null, ending: '', labels } as const
  // None is played yet, so that no round is marked as the latest.
  const match = { ...matchOf({ view, events: [] }), played: 0 }
  const top = (height - 2 * ROW - GAP) / 2
  const layout: BoardLayout = {
    left: LEFT, column: COLUMN, first: 0, shown: 1, strips: [top, top + ROW + GAP], stripHeight: ROW, hasPayoffs: false, axis: 0, chart: null, foot: null,
    x: (round) => LEFT + round * COLUMN, hit: () => null,
  }
  const context = pictureContext(scene)
  for (const seat of SEATS) {
    drawStrip(canvas, { match, context, telling: tellingOf(match, context), layout, width: scene.width }, seat)
    const paid = points[seat === (you === 1 ? 1 : 0) ? 0 : 1] ?? 0
    write(canvas, theme, `→ ${number(paid)}`, LEFT + COLUMN + 12, layout.strips[seat] + ROW / 2, { size: 13, weight: 600 })
  }
}

const acts: Readonly<Record<string, ActPicture>> = {
  outcome,
  talk: talking,
}

export default definePictures({ height: 64, acts })
