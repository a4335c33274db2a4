import type { Spent } from '../api'

/** A sum of money as it is written; small ones to a hundredth of a cent. */
export function money(usd: number): string {
  return `$${usd > 0 && usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`
}

/** What was spent, as far as its price is known: a price that nobody knows is not nothing. */
export type Cost = { kind: 'known' | 'partly' | 'unknown'; usd: string; unpriced: number }
export function costOf({ usd, unpriced }: Pick<Spent, 'usd' | 'unpriced'>): Cost {
  return { kind: unpriced === 0 ? 'known' : usd > 0 ? 'partly' : 'unknown', usd: money(usd), unpriced }
}

/** What a run has cost, in a column of US dollars: "–" where no model plays or nobody is told, `unknown` where no price is known. */
export function costCell(usd: number | null, unpriced: boolean, unknown: string): string {
  if (usd === null) return '–'
  return unpriced ? (usd > 0 ? `≥ ${usd.toFixed(2)}` : unknown) : usd.toFixed(2)
}
