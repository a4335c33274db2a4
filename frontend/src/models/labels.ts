import type { Key } from '../words'

/** What the pages call the ways in which a call fails; any other by its own label. */
export const FAILURES = [
  'unparseable', 'illegal', 'truncated', 'declined', 'timeout', 'rate_limited', 'server_error', 'reset', 'away', 'no_schema', 'context', 'filtered',
  'refused', 'certificate', 'no_key', 'unasked',
] as const
const KNOWN = new Set<string>(FAILURES)

/** What a call that is no move was for; "" for a move. */
const PURPOSES = new Set(['reflect', 'before', 'after', 'end', 'dropped'])
export const purposeLabel = (t: (key: Key) => string, purpose: string): string =>
  purpose === 'act' ? '' : PURPOSES.has(purpose) ? t(`purpose_${purpose}` as Key) : purpose

/** The likeliest first tokens with their shares, in percent, and what is left for all others. */
export function shares(logprobs: readonly (readonly [string, number])[]): { tokens: string[]; rest: string } {
  const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`
  const sum = logprobs.reduce((all, [, log]) => all + Math.exp(log), 0)
  return { tokens: logprobs.map(([token, log]) => `${JSON.stringify(token)} ${percent(Math.exp(log))}`), rest: percent(Math.max(0, 1 - sum)) }
}

export const failureLabel = (t: (key: Key) => string, failure: string): string =>
  KNOWN.has(failure) ? t(`failure_${failure}` as Key) : failure.replaceAll('_', ' ')
