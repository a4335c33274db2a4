import type { SeatMeta } from '../types'

/** Seats that follow one another and are played by the same. */
export interface Group {
  first: number
  last: number
  /** `policy`, `model`, `person`, `recording` or `hidden`. */
  kind: SeatMeta['kind']
  /** Who plays, where one name holds for all of them; else ''. */
  agent: string
}

/** Who sits where, as ranges: neighbours of the same kind and name together, policies of any name as one. */
export function groupsOf(seats: readonly SeatMeta[]): Group[] {
  const found: Group[] = []
  for (const { seat, kind, agent } of seats) {
    const last = found.at(-1)
    const same = last && last.kind === kind && (kind === 'policy' || kind === 'person' || last.agent === agent)
    if (!last || !same) found.push({ first: seat, last: seat, kind, agent })
    else {
      last.last = seat
      if (last.agent !== agent) last.agent = ''
    }
  }
  return found
}
