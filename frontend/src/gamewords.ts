/**
 * One thing that a view holds, and how it is drawn: a value by seat (`bars`, `money`, `pick`), who did what to whom or a
 * table of payoffs (`matrix`), cells (`grid`), lines between seats (`graph`), rows (`table`), values by round (`series`),
 * one value (`number`, `text`).
 */
export interface FacePart {
  /** Its name in `frame.view`. */
  key: string
  kind: 'bars' | 'money' | 'pick' | 'matrix' | 'grid' | 'graph' | 'table' | 'series' | 'number' | 'text'
  label: string
  unit?: string
  /** Whether its amounts are money. */
  money?: boolean
  /** Top of its scale: a number, or the name of a setting. */
  most?: number | string | null
  /** The stage in which it comes about. */
  stage?: string
  /** Of a matrix, what its rows do and its columns undergo. */
  rows?: string
  /** The same for columns; of a table, its columns' words by their keys. */
  columns?: string | Record<string, string>
  /** Of a series: a line for each seat, or one for all. */
  by?: 'seat' | 'all'
  /** Whether it ranks the ledger. */
  score?: boolean
  /** Words for what can be chosen, by choice. */
  choices?: Record<string, string>
}

/** A game's words, as its folder holds them; see docs/adding-a-game.md. */
export interface GameWords {
  name: string
  tagline: string
  round: string
  /** Where the site serves the board that the game's package brings. */
  board?: string
  /** What labels of the clock beside the counted one are called: `{n}`. */
  clock?: Record<string, string>
  stages?: Record<string, string>
  events: Record<string, { text: string; glyph?: string; mark?: string; group?: string }>
  /** What the groups of events are called, in the order in which the feed offers them. */
  feed?: Record<string, string>
  /** Kinds that a round tells only where it has nothing else to tell, or where they are asked for. */
  minor?: string[]
  /** Kinds that judge what happened, which players are not told. */
  verdicts?: string[]
  /** Why parts of an answer were struck out or changed, by kind. */
  notes?: Record<string, string>
  roles?: Record<string, string>
  metrics?: Record<string, { label: string; unit?: string; format?: string }>
  charts?: string[]
  /** What the measure is called that says most of a match, in a sentence. */
  headline?: string
  actions?: Record<string, string>
  /** How a part of an action is said beside what is done, by its field: "to {to:seats}"; by its name and value where nothing stands here. */
  parts?: Record<string, string>
  policies?: Record<string, string>
  /** What its settings are called, and the values to choose from. */
  config?: Record<string, { label: string }>
  values?: Record<string, string>
  /** What its view is drawn from where it has no board of its own, in order. */
  face?: FacePart[]
  /** What a person is asked in a stage: "How much do you give?" */
  ask?: Record<string, string>
  /** What things of the game are called, for `{key:name}` in its sentences. */
  names?: Record<string, string>
}
