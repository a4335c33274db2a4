/** Made by `just contract` from what games.catalog.dilemma.rules declares. */

/** Pairs are of A and B; ``moves`` has a letter a round, ``payoffs`` are by the moves of both, such as CD. ``totals`` and the length are None where those eyes may not see them. Without ``labels`` they are the letters: frames from before there was a choice have none. */
export interface DilemmaView {
  readonly moves: readonly [string, string]
  readonly totals: readonly [number, number] | null
  readonly payoffs: Readonly<Record<string, readonly [number, number]>>
  readonly horizon: 'fixed' | 'geometric' | null
  readonly rounds: number | null
  readonly stop_prob: number | null
  readonly noise: readonly [number, number]
  readonly talk: boolean
  readonly said: readonly [string, string] | null
  readonly ending: '' | 'length' | 'chance' | 'cut' | 'void'
  readonly labels?: 'letters' | 'neutral' | 'framed'
}

/** Whose hand slipped, what was meant and what was carried out, by the labels. */
export interface SlipData {
  readonly by: number
  readonly meant: string
  readonly did: string
}

export interface Events {
  readonly hand_slipped: SlipData
}
