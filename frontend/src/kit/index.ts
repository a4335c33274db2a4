/** The one door through which a game's board reaches the shell: `@polity/board`. */
export * from './board'
export * from './canvas'
export * from './grid'
export * from './paint'
export * from './seats'
export { readTheme, type Theme } from './theme'
export { formatted, number, sentence, spoken, type Part } from '../sentences'
export { bySeat, type BySeat, type Facts, type Frame, type GameEvent, type Json, type Lang, type SeatMeta } from '../types'
