import type { Json, Lang } from '../types'

/** Questions beside the play as levels of a factor: none, ready sets, or questions of one's own. */

export const ASIDE_SETS = ['none', 'beliefs', 'confidence', 'both'] as const
export type AsideSet = (typeof ASIDE_SETS)[number]

const ASKED = {
  beliefs: {
    en: { name: 'belief', when: 'before', ask: 'How likely is it that another player acts against your interest in this round?', answer: 'number', least: 0, most: 1 },
    zh: { name: 'belief', when: 'before', ask: '本回合有其他参与者做出不利于你的行动，可能性有多大？', answer: 'number', least: 0, most: 1 },
  },
  confidence: {
    en: { name: 'confidence', when: 'after', ask: 'How sure are you that this move was the best you could make?', answer: 'number', least: 0, most: 1 },
    zh: { name: 'confidence', when: 'after', ask: '你有多大把握认为这一步是你能做的最好选择？', answer: 'number', least: 0, most: 1 },
  },
} as const

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A set as the text of a level: the profile's `aside`, as JSON. */
export function asideText(set: AsideSet, lang: Lang): string {
  const { beliefs, confidence } = ASKED
  const asked = { none: [], beliefs: [beliefs], confidence: [confidence], both: [beliefs, confidence] }[set]
  return JSON.stringify(asked.map((one) => one[lang]))
}

/** Which set a level's text is, in whichever language; null: questions of one's own. */
export function asideSet(text: string): AsideSet | null {
  const plain = JSON.stringify(parsed(text.trim()))
  return ASIDE_SETS.find((set) => asideText(set, 'en') === plain || asideText(set, 'zh') === plain) ?? null
}

/** What a level is called where nobody names it: by its questions' names. */
export function asideName(text: string): string {
  const asked = parsed(text.trim())
  if (!Array.isArray(asked)) return text
  return asked.map((one) => String((one as { name?: unknown } | null)?.name ?? '')).join('-') || 'none'
}
