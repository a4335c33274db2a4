import { arrow, boxLine, definePictures, flowLine, pictureContext, tagAt, talking, type Box, type ActPicture, type PictureScene, type Canvas } from '@polity/board'
import { drawWorld } from './drawing'
import type { WorldLayout } from './layout'
import { staged, type Scenery } from './reading'

const SIDE = 28
/** A card without words has its squares seven pixels from its left and three below its top. */
const CARD = { width: SIDE + 14, height: 2 * SIDE + 6 }

/** Two nations with two territories each, or as `owners` has them, and what passes between them. */
function two(canvas: Canvas, scene: PictureScene, owners = [scene.you, scene.you, scene.other, scene.other], done: Partial<Scenery> = {}): readonly [Box, Box] {
  const { you, other, width, height } = scene
  const y = (height - CARD.height) / 2
  const cards: Box[] = []
  cards[you] = { x: 1, y, ...CARD }
  cards[other] = { x: width - CARD.width - 1, y, ...CARD }
  draw(canvas, scene, staged(owners, {}, done), { cards, side: SIDE, perRow: 1, isRoomy: false })
  return [cards[you], cards[other]]
}

/** A gift, in the board's colour for it, and what becomes of it. */
function gift(canvas: Canvas, scene: PictureScene, label: string): void {
  const line = boxLine(...two(canvas, scene), 0)
  if (line) flowLine(canvas, scene.theme, line, scene.theme.goodMark, 3)
  if (label) tagAt(canvas, scene.theme, label, scene.width / 2, scene.height / 2 - 16, scene.theme.goodMark)
}

/** An attack, in the board's colour for it, and what each mil destroys. */
function attack(canvas: Canvas, scene: PictureScene, label: string): void {
  const { theme, width, height } = scene
  const line = boxLine(...two(canvas, scene), 0)
  if (line) arrow(canvas, line.x1, line.y1, line.x2, line.y2, { end: 'head', colour: theme.warnMark, casing: theme.surface, width: 3 })
  tagAt(canvas, theme, label, width / 2, height / 2 - 18, theme.warnMark)
}

/** One nation's card with its army, and how many mils left it. */
function army(canvas: Canvas, scene: PictureScene, mils: number, gone = 0): void {
  const { you, width, height } = scene
  const cards: Box[] = []
  const [wide, high] = [112, 22 + 22 + 30]
  cards[you] = { x: (width - wide) / 2, y: (height - high) / 2, width: wide, height: high }
  draw(canvas, scene, staged([you, you, you], { army: mils, gone }), { cards, side: 22, perRow: 4, isRoomy: true })
}

function draw(canvas: Canvas, scene: PictureScene, world: Scenery, where: Pick<WorldLayout, 'cards' | 'side' | 'perRow' | 'isRoomy'>): void {
  const layout: WorldLayout = { ...where, hit: () => null, box: () => null }
  // The cards' own names would be the seats'; here everybody is a letter.
  const seats = [scene.you, scene.other].map((seat) => ({ seat, name: '', kind: 'person' as const, agent: '', role: '' }))
  drawWorld(canvas, { world, context: { ...pictureContext(scene), seats }, layout }, scene.width, scene.height)
}

const shownNumber = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

const acts: Readonly<Record<string, ActPicture>> = {
  attack: (canvas, scene) => attack(canvas, scene, `−${shownNumber(scene.facts.damage)}`),
  grant: (canvas, scene) => gift(canvas, scene, `× ${shownNumber(scene.facts.trade)}`),
  arms: (canvas, scene) => army(canvas, scene, 3),
  disband: (canvas, scene) => army(canvas, scene, 2, 1),
  cede: (canvas, scene) => {
    const { you, other } = scene
    two(canvas, scene, [you, other, other], { first: [you, you, other], cessions: [{ by: you, territory: 2, to: other }] })
  },
  resources: (canvas, scene) => gift(canvas, scene, ''),
  talk: talking,
}

export default definePictures({ height: 78, acts })
