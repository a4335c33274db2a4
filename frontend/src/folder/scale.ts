/** Cividis at five places; text on the darker ones is white. */
const STOPS: readonly [number, number, number][] = [
  [0, 34, 78],
  [65, 77, 107],
  [124, 123, 120],
  [188, 175, 111],
  [254, 232, 56],
]
const DARK_UNTIL = 1.92

export interface Shade {
  colour: string
  isDark: boolean
}

/** A value's shade between the least and the greatest of all; the middle one where they are the same. */
export function scaleOf(values: readonly (number | null)[]): (value: number) => Shade {
  const known = values.filter((value) => value !== null)
  const low = Math.min(...known)
  const high = Math.max(...known)
  return (value) => {
    const place = high > low ? ((value - low) / (high - low)) * (STOPS.length - 1) : 2
    const i = Math.min(STOPS.length - 2, Math.max(0, Math.floor(place)))
    const from = STOPS[i] ?? [0, 0, 0]
    const to = STOPS[i + 1] ?? from
    const parts = from.map((part, k) => Math.round(part + ((to[k] ?? part) - part) * (place - i)))
    return { colour: `rgb(${parts.join(' ')})`, isDark: place < DARK_UNTIL }
  }
}
