import { CellLayer, definePictures, factNumber, layoutGrid, pictureContext, talking, type ActPicture, type PictureScene } from '@polity/board'
import { drawScene } from './drawing'
import { NOBODY, type Land, type Raid } from './reading'

/** Three plots in a row, with what is done to them in one round. */
function plots(canvas: CanvasRenderingContext2D, scene: PictureScene, owners: readonly number[], done: Partial<Land>): void {
  const { width, height } = scene
  const none = owners.map(() => 0)
  const raids = done.raids ?? []
  const land: Land = {
    rows: 1, cols: owners.length, round: 1, rounds: 1, mine_cap: 0, defence: 'block_all', immunity_window: 0, owners, since: none, first: owners,
    immune_until: none, alpha: none, treasury: 0, seats: [], held: 0, immune: () => false, defended: new Set(), claimed: new Set(),
    before: new Map(), raids, raidsOn: () => raids, mined: new Int32Array(owners.length), output: null, ...done,
  }
  const layout = layoutGrid(width, height, land.rows, land.cols, 1)
  drawScene(canvas, width, height, { land, earlier: null, context: pictureContext(scene), layout, progress: 1 }, new CellLayer())
}

/** Five miners after some rounds; A is whoever looks. */
const LAND = ['.BB..E', '.BB.EE', '.AA.E.', 'AA.CC.', '..DDC.', '.DD...']
const MINED: readonly [plot: number, gold: number][] = [[2, 3], [10, 2], [13, 3], [14, 3], [21, 3], [26, 1], [28, 3]]
const SIDE = 6

/** All signs of a round on one board. */
const example: ActPicture = (canvas, scene) => {
  const others = [0, 1, 2, 3, 4].filter((seat) => seat !== scene.you)
  const owners = LAND.flatMap((line) => [...line].map((mark) => (mark === '.' ? NOBODY : mark === 'A' ? scene.you : (others[mark.charCodeAt(0) - 66] ?? NOBODY))))
  const mined = new Int32Array(owners.length)
  const [cap, alpha] = [factNumber(scene.facts.cap, 3), factNumber(scene.facts.alpha, 1)]
  for (const [plot, gold] of MINED) mined[plot] = Math.min(gold, cap) * alpha
  plots(canvas, scene, owners, { rows: SIDE, cols: SIDE, defended: new Set([7, 14, 32]), immune: (plot) => plot === 18, mined })
}

const raid = (plot: number, by: number, from: number, owner: number, outcome: Raid['outcome']): Raid => ({
  plot, owner, raiders: [by], from: [from], outcome, by,
})

const acts: Readonly<Record<string, ActPicture>> = {
  claim: (canvas, scene) => plots(canvas, scene, [scene.you, scene.you, NOBODY], { immune: (plot) => plot === 1 && factNumber(scene.facts.safe) > 0 }),
  mine: (canvas, scene) => {
    const [cap, alpha] = [factNumber(scene.facts.cap, 1), factNumber(scene.facts.alpha, 1)]
    plots(canvas, scene, [scene.you, scene.you, NOBODY], { mined: Int32Array.of(cap * alpha, alpha, 0) })
  },
  defend: (canvas, scene) => plots(canvas, scene, [scene.you, NOBODY, scene.other], { defended: new Set([0]), raids: [raid(0, scene.other, 2, scene.you, 'repelled')] }),
  raid: (canvas, scene) => plots(canvas, scene, [scene.you, scene.you, scene.other], { before: new Map([[1, scene.other]]), raids: [raid(1, scene.you, 0, scene.other, 'taken')] }),
  talk: talking,
}

export default definePictures({ height: 52, acts, example: { side: 290, draw: example } })
