/** A seat is a letter first, a colour second, a hatch third: eight hues plain, then hatched, then cross-hatched. */

/** A..Z, then AA, AB …: the letter of a seat, counted from 0. */
export function letter(seat: number): string {
  const rest = Math.floor(seat / 26)
  return (rest > 0 ? letter(rest - 1) : '') + String.fromCharCode(65 + (seat % 26))
}

/** Index into the eight hues. */
export function hue(seat: number): number {
  return seat % 8
}

/** 0 plain, 1 hatched at 45°, 2 crossed; then it begins again, and the letter alone tells. */
export function hatch(seat: number): 0 | 1 | 2 {
  return (Math.floor(seat / 8) % 3) as 0 | 1 | 2
}

/** A seat by its letter and its name, where that is another. */
export const lettered = (seat: number, name = ''): string => [...new Set([letter(seat), name])].join(' ').trim()
