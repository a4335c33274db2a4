import { post } from '../api'

/** A seat that stands in the lobby for whoever comes. */
export interface OpenSeat {
  address: string
  game: string
  title: { en?: string; zh?: string }
  open: number
  of: number
  run: string
  turn_s: number | null
}

/** Begins a match of a game against policies; where one takes its free seat. */
export async function playNow(game: string, csrf: string): Promise<string> {
  return (await post<{ address: string }>(`games/${encodeURIComponent(game)}/play`, csrf, {})).body.address
}
