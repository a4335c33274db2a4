import type { Facts, Json, Lang } from '../src/types'
import type { BoardContext } from './board'
import { dottedLine, tag, tagWidth } from './graphpaint'
import { seatDisc } from './paint'
import type { Theme } from './theme'

/** What the picture of an act is drawn from. Lengths are CSS pixels. */
export interface PictureScene {
  width: number
  height: number
  theme: Theme
  lang: Lang
  /** Whoever is told of the act, and somebody else. */
  you: number
  other: number
  /** As the act's row has them. */
  facts: Facts
}

export type ActPicture = (canvas: CanvasRenderingContext2D, scene: PictureScene) => void

/** A game's pictures beside what a player may do, by name, drawn with what draws its board. */
export interface Pictures {
  /** How high each is; all are PICTURE_WIDTH wide. */
  height: number
  acts: Readonly<Record<string, ActPicture>>
  /** A board in the middle of a match, where that of its beginning shows nothing yet; `side` is its width and height. */
  example?: { side: number; draw: ActPicture }
}

export const PICTURE_WIDTH = 132

export function definePictures(pictures: Pictures): Pictures {
  return pictures
}

/** What a board's own drawing asks for beside its state: nothing is chosen, nothing moves. */
export function pictureContext({ theme, lang, you }: PictureScene): BoardContext {
  return {
    seats: [],
    config: {},
    lang,
    theme,
    as: you,
    at: () => undefined,
    selected: null,
    focused: null,
    bare: true,
    subject: true,
    motion: 0,
    onselect: () => undefined,
    onhover: () => undefined,
  }
}

export function factNumber(value: Json | undefined, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise
}

/** A few words on a plate, its middle at (x, y). */
export function tagAt(canvas: CanvasRenderingContext2D, theme: Theme, text: string, x: number, y: number, colour = theme.text): void {
  const width = tagWidth(canvas, theme, text)
  tag(canvas, theme, text, { x: x - width / 2, y: y - 8, width, height: 16 }, colour)
}

/** Somebody says something to somebody else: the same in every game. */
export const talking: ActPicture = (canvas, { theme, lang, you, other, width, height }) => {
  const [y, left, right] = [height / 2 + 6, 18, width - 18]
  dottedLine(canvas, { x1: left + 15, y1: y, x2: right - 17, y2: y }, theme.text2, 1.6, 3)
  seatDisc(canvas, theme, you, left, y, 12)
  seatDisc(canvas, theme, other, right, y, 12)
  tagAt(canvas, theme, lang === 'zh' ? '「……」' : '“…”', width / 2, y - 16)
}
