import { grouped } from '../sentences'
import type { Say } from './words'

/** A price as it is written: small ones with the digits that tell them apart. */
export function usd(value: number): string {
  if (value === 0) return '$0'
  if (value < 0.01) return `$${value.toFixed(Math.min(8, 1 - Math.floor(Math.log10(value))))}`
  if (value < 1) return `$${value.toFixed(3)}`
  return `$${value < 1000 ? value.toFixed(2) : grouped(Math.round(value))}`
}

/** A number of tokens in a sentence: "2,199", "440 k", "4.4 M". */
export function tokens(value: number): string {
  if (value < 10_000) return grouped(value)
  return value < 1_000_000 ? `${grouped(Math.round(value / 1000))}\u00a0k` : `${(value / 1_000_000).toFixed(1)}\u00a0M`
}

/** A latency: seconds to a hundredth, or to a tenth where there are many. */
export const inSeconds = (ms: number): string => (ms / 1000).toFixed(ms < 100_000 ? 2 : 1)

/** How long something takes, in the unit in which it is said. */
export function lasting(seconds: number, say: Say): string {
  if (seconds < 90) return say('seconds', { n: Math.max(1, Math.round(seconds)) })
  return seconds < 5400 ? say('minutes', { n: Math.round(seconds / 60) }) : say('hours', { n: Math.round(seconds / 360) / 10 })
}
