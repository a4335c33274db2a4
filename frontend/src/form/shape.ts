import { post } from '../api'
import type { Facts } from '../types'

/** What settings make of a game: its seats, and how long it lasts at the most; null where that is open. */
export interface Shape {
  seats: { name: string; role: string }[]
  steps: number | null
  rounds: number | null
}

export async function checkConfig(game: string, csrf: string, config: Facts): Promise<Shape> {
  return (await post<Shape>('configs/check', csrf, { game, config })).body
}
