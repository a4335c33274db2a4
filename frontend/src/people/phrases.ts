import type { Facts } from '../types'
import type { Ui } from '../ui.svelte'
import type { Key } from '../words'
import type { Refused } from '../words/refusals'
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

/** What is played for one who does not answer; `rule` says what the game's default is, where the game tells it. */
export function fallbackIn(t: T, kind: Fallback, substitute: string, rule = ''): string {
  if (kind === 'default' && rule) return rule
  return t(`default_${kind}`, { substitute: t('theProgram', { name: substitute }) })
}

/** Why an answer was not taken. A line that is lost costs nothing here: the page says so. */
export function refusalIn({ t, told }: Pick<Ui, 't' | 'told'>, refused: Refused): string {
  if (refused.code === 'network') return t('refused_network')
  const said = told(refused)
  return said === refused.message ? t('refused_other', { message: said }) : said
}
