import type { FacePart, GameWords } from '../../src/gamewords'
import type { Frame } from '../../src/types'
import { seatName, type BoardContext } from '../board'
import { faceSpeaker } from './words'
import type { Say } from '../speaking'
import type { faceWords } from './words'

/** What every part of a derived board is drawn from. */
export interface Scene {
  frame: Frame
  context: BoardContext
  words: GameWords
  /** How many seats there are; lists by seat are so long. */
  seats: number
  say: Say<keyof typeof faceWords>
  nameOf(seat: number): string
  /** Whether whoever looks sits in this seat. */
  isOwn(seat: number): boolean
}

export function sceneOf(frame: Frame, context: BoardContext, words: GameWords, seats: number): Scene {
  const say = faceSpeaker(context)
  const isOwn = (seat: number): boolean => context.as === seat
  return {
    frame, context, words, seats, say, isOwn,
    // Players are told of themselves as "you"; a spectator who looks through their eyes is not one of them.
    nameOf: (seat) => (isOwn(seat) && context.subject !== undefined ? say('you') : seatName(context.seats, seat)),
  }
}

/** The unit of a part, where its name does not say it. */
export const unitOf = ({ label, unit = '' }: FacePart): string => (label.toLowerCase().includes(unit.toLowerCase()) ? '' : unit)

/** A part's scale and unit in words: "of 20 units". */
export function scaleText({ say, context }: Scene, part: FacePart): string {
  const top = typeof part.most === 'string' ? context.config[part.most] : part.most
  if (typeof top !== 'number') return unitOf(part)
  return say('ofTop', { top, unit: part.unit ?? '' }).trim()
}

