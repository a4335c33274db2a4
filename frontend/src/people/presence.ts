import type { Key } from '../words'
import type { PresenceState } from './types'

/** Each state of presence in a word; for whoever is gone, where nobody says until when. */
export const PRESENCE_OTHER: Record<PresenceState, Key> = {
  connected: 'presence_connected',
  idle: 'presence_idle',
  gone: 'presence_goneNow',
  substituted: 'presence_substituted',
  open: 'presence_open',
}
