import type { Said } from '../types'

export type Told = Said<'TableOut'>

/** A game in normal form as it is edited: pays as they were typed, by cell. */
export interface Edited {
  title: string
  players: string[]
  choices: string[][]
  pays: Record<string, string[]>
}

export const MOVES_MAX = 12
export const CELLS_MAX = 1296
export const BYTES_MAX = 256 * 1024
const NUMBER = /^[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})(\/0*[1-9]\d{0,11})?$/
const ODD = /[{}<>|\\`$%#"\p{C}]/gu

/** Whether the server reads a pay so. */
export const isPay = (text: string): boolean => NUMBER.test(text.trim().replace('−', '-'))

/** Every cell of a table, the last player's move changing first. */
export function cellsOf(choices: readonly (readonly string[])[]): number[][] {
  return choices.reduce<number[][]>((rows, own) => rows.flatMap((row) => own.map((_, at) => [...row, at])), [[]])
}

export function fromTold(told: Told): Edited {
  return {
    title: told.title,
    players: [...told.players],
    choices: told.choices.map((one) => [...one]),
    pays: Object.fromEntries(told.cells.map(({ at, pays }) => [at.join(), [...pays]])),
  }
}

/** One move more for a player, or its last one less; what is new pays nothing. */
export function resized({ title, players, choices, pays }: Edited, player: number, more: boolean): Edited {
  const next = choices.map((one, at) => (at !== player ? one : more ? [...one, named(one)] : one.slice(0, -1)))
  const cells = cellsOf(next).map((cell) => cell.join())
  return { title, players, choices: next, pays: Object.fromEntries(cells.map((cell) => [cell, pays[cell] ?? players.map(() => '0')])) }
}

function named(taken: readonly string[]): string {
  let n = taken.length + 1
  while (taken.includes(`move ${n}`)) n += 1
  return `move ${n}`
}

/** The table as Gambit's file, whose first player's move changes first. */
export function toNfg({ title, players, choices, pays }: Edited): string {
  const quoted = (name: string): string => `"${name.replace(ODD, ' ').trim().slice(0, 120)}"`
  const rows = cellsOf([...choices].reverse()).map((cell) => (pays[[...cell].reverse().join()] ?? []).map((pay) => pay.trim().replace('−', '-')).join(' '))
  return `NFG 1 R ${quoted(title)} { ${players.map(quoted).join(' ')} }\n{ ${choices.map((one) => `{ ${one.map(quoted).join(' ')} }`).join(' ')} }\n""\n\n${rows.join('\n')}\n`
}

/** A table of two, by rows: `5,5 0,3 / 3,0 3,3`. */
export function twoOf(title: string, rows: string[], columns: string[], pays: string): Edited {
  const cells = pays.split('/').flatMap((row, at) => row.trim().split(' ').map((pair, col) => [`${at},${col}`, pair.split(',')] as const))
  return { title, players: ['A', 'B'], choices: [rows, columns], pays: Object.fromEntries(cells) }
}
