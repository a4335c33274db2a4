import type { Facts } from '../types'

/** For whom a run or an experiment is: everyone, whoever has the address, members of the site. */
export const SHOWN_TO = ['everyone', 'link', 'members'] as const

/** For whom something is that stands: one that says nothing is everyone's, whatever the site has for new ones. */
export function shownTo(audience: Facts): string {
  return typeof audience.to === 'string' ? audience.to : 'everyone'
}

/** The audience to ask for; null where it is what stands. Of what stands that is kept which was not chosen anew. */
export function audienceOf(stands: Facts, kind: string, delay: number, to: string): Facts | null {
  const isKind = kind === stands.kind && (kind !== 'delayed' || delay === stands.delay)
  if (isKind && to === shownTo(stands)) return null
  if (isKind) return { ...stands, to }
  return kind === 'delayed' ? { kind, delay, to } : { kind, to }
}
