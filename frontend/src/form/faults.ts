/** One thing that the server found wrong: `path` is such as `config.rows` or `seats.3.params.p`. */
export interface ServerFault {
  path: string
  message: string
}

export interface Placed {
  /** By the path of the field: `config.rows`, `seats.3`, `seed`. */
  beside: Record<string, string[]>
  /** What belongs to no field that is shown. */
  top: string[]
}

/**
 * Puts each fault beside the field that it is about: the nearest one on its path, or, where the path names the whole
 * settings, the field whose name begins the message.
 */
export function place(faults: readonly ServerFault[], known: ReadonlySet<string>): Placed {
  const placed: Placed = { beside: {}, top: [] }
  for (const { path, message } of faults) {
    const spot = nearest(path, known) ?? named(path, message, known)
    if (spot === undefined) placed.top.push(path ? `${path}: ${message}` : message)
    else (placed.beside[spot] ??= []).push(path.length > spot.length && path.startsWith(`${spot}.`) ? `${path.slice(spot.length + 1)}: ${message}` : message)
  }
  return placed
}

function nearest(path: string, known: ReadonlySet<string>): string | undefined {
  for (let here = path; here; here = here.slice(0, Math.max(here.lastIndexOf('.'), 0))) if (known.has(here)) return here
  return undefined
}

function named(path: string, message: string, known: ReadonlySet<string>): string | undefined {
  const first = /^([\w.]+):/.exec(message)?.[1]
  const whole = first === undefined ? undefined : path ? `${path}.${first}` : first
  return whole !== undefined && known.has(whole) ? whole : undefined
}
