import type { Facts } from '../types'
import type { Trial } from './server'
import { isModelKey, type ModelKey } from './words'

/** A sentence of the page and what fills it. */
export interface Told {
  key: ModelKey
  facts?: Facts
}

/** What a trial came to, in a sentence, and what to change: `plays` null where nobody could be asked. */
export interface Verdict {
  plays: boolean
  first: Told
  rest: readonly Told[]
  /** The server's own words, where they say why. */
  said: string
}

const known = (key: string): ModelKey | null => (isModelKey(key) ? key : null)

/** How a reply failed, as part of a sentence, and what would help against it. */
function failed(failure: string, frame: 'only' | 'first' | 'last', word: (key: ModelKey) => string): Told[] {
  const [was, remedy] = [known(`was_${failure}`), known(`do_${failure}`)]
  return [...(was ? [{ key: frame, facts: { what: word(was) } }] : []), ...(remedy ? [{ key: remedy }] : [])]
}

/** Failures of the line, not of what was said: their text is the server's, or tells where the line broke. */
const OF_LINE = new Set(['timeout', 'rate_limited', 'server_error', 'reset', 'away', 'context', 'filtered', 'refused', 'certificate', 'declined'])

export function verdictOf(trial: Trial, word: (key: ModelKey) => string): Verdict {
  const [first, last] = [trial.calls[0], trial.calls.at(-1)]
  const failure = last?.failure ?? ''
  const ending = trial.calls.length > 1 ? 'last' : 'only'
  const said = last && OF_LINE.has(failure) ? last.reply : ''
  if (trial.stop) return { plays: false, first: { key: 'stops' }, rest: failed(failure, ending, word), said: said || (failure === 'no_key' ? '' : trial.stop) }
  if (!trial.usable) {
    const isSilent = ['timeout', 'unasked'].includes(failure)
    return { plays: false, first: { key: isSilent ? 'silent' : 'unusable' }, rest: failed(failure, ending, word), said }
  }
  const tries = trial.calls.length
  const title: Told = tries <= 1 ? { key: 'played' } : tries === 2 ? { key: 'playedSecond' } : { key: 'playedLater', facts: { n: tries } }
  return { plays: true, first: title, rest: tries > 1 && first ? failed(first.failure, 'first', word) : [], said: '' }
}
