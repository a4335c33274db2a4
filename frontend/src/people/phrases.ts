import type { Facts } from '../types'
import type { Key } from '../words'
import type { Fallback } from './types'

type T = (key: Key, facts?: Facts) => string

/** A duration as people say it: "45 s", "2 min", "1 h 30 min". */
export function lasting(seconds: number, lang: 'en' | 'zh'): string {
  const whole = Math.round(seconds * 10) / 10
  const [h, min, s] = lang === 'zh' ? [' 小时', ' 分钟', ' 秒'] : [' h', ' min', ' s']
  if (whole < 120) return `${whole}${s}`
  const minutes = Math.round(whole / 60)
  if (minutes < 120) return `${minutes}${min}`
  const rest = minutes % 60
  return rest ? `${Math.floor(minutes / 60)}${h} ${rest}${min}` : `${minutes / 60}${h}`
}

/** What is played for one who does not answer. */
export function fallbackIn(t: T, kind: Fallback, substitute: string): string {
  return t(`default_${kind}`, { substitute })
}

/** Refusals that this page words itself; any other is said as the server said it. */
const WORDED = new Set(['late', 'early', 'not_asked', 'already_moved', 'other_tab', 'not_playing', 'bad_action', 'struck_out', 'too_big', 'too_fast', 'network'])

export function refusalIn(t: T, { code, message }: { code: string; message: string }): string {
  return t(WORDED.has(code) ? (`refused_${code}` as Key) : 'refused_other', { message }).trim()
}
