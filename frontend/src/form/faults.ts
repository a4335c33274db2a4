import type { ApiError, ServerFault } from '../api'
import type { Facts, Lang } from '../types'
import { refusal } from '../words/refusals'
import { leaves, type Field } from './schema'

/** What is shown of a fault, in each language: the page follows the reader's choice. */
export type Told = Record<Lang, string>

export interface Placed {
  /** By the path of the field: `config.rows`, `seats.3`, `seed`. */
  beside: Record<string, Told[]>
  /** What belongs to no field that is shown. */
  top: Told[]
}

/** Everything that a refusal says of what was sent; a refusal of one input is a fault of that. */
export function faultsIn({ code, message, faults, body }: ApiError): readonly ServerFault[] {
  if ('faults' in body) return faults
  const facts: Facts = body
  const says = { en: refusal('en', { code, message, facts }), zh: refusal('zh', { code, message, facts }) }
  return faults.map((fault) => ({ ...fault, says }))
}

/**
 * Puts each fault beside the field that it is about: the nearest one on its path, or, where the path names the whole
 * settings, the field whose name begins the message. Those that are `deep` have a field for each of their parts.
 */
export function place(faults: readonly ServerFault[], known: ReadonlySet<string>, deep: ReadonlySet<string> = new Set()): Placed {
  const placed: Placed = { beside: {}, top: [] }
  for (const fault of faults) {
    const { message } = fault
    const inside = within(fault.path, message, deep)
    if (inside !== undefined) {
      ;(placed.beside[inside] ??= []).push(told(fault, '', true))
      continue
    }
    const { path } = fault
    const spot = nearest(path, known) ?? named(path, message, known)
    if (spot === undefined) placed.top.push(told(fault, path))
    else if (deep.has(spot) && path.startsWith(`${spot}.`)) (placed.beside[path] ??= []).push(told(fault, ''))
    else (placed.beside[spot] ??= []).push(told(fault, path.startsWith(`${spot}.`) ? path.slice(spot.length + 1) : ''))
  }
  return placed
}

/** The fault in each language, after what is left of its place. */
function told({ message, says }: ServerFault, rest: string, isPlaced = false): Told {
  const said = (text: string): string => (isPlaced ? text.replace(/^[\w.]+[:：]\s*/, '') : text)
  return { en: (rest && `${rest}: `) + said(says?.en ?? message), zh: (rest && `${rest}：`) + said(says?.zh ?? message) }
}

/** Where within a structure it is, if the message alone says so. */
function within(path: string, message: string, deep: ReadonlySet<string>): string | undefined {
  const first = /^([\w.]+):/.exec(message)?.[1]
  const whole = `${path}.${first}`
  return first?.includes('.') && nearest(whole, deep) !== undefined && nearest(path, deep) === undefined ? whole : undefined
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

/** The fields that have one for each of their parts, as `place` takes them. */
export const deepOf = (fields: readonly Field[]): Set<string> => new Set(leaves(fields).flatMap(({ kind, path }) => (kind === 'parts' ? [`config.${path}`] : [])))
