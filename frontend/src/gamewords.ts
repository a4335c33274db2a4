/** A game's words, as its folder holds them; see docs/adding-a-game.md. */
export interface GameWords {
  name: string
  tagline: string
  round: string
  /** What labels of the clock beside the counted one are called: `{n}`. */
  clock?: Record<string, string>
  stages?: Record<string, string>
  events: Record<string, { text: string; glyph?: string; mark?: string }>
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
  /** What things of the game are called, for `{key:name}` in its sentences. */
  names?: Record<string, string>
}
