import type { Key } from '../words'

/** The fields of a profile as the page groups them. What is JSON is written as JSON. */
export type Kind = 'text' | 'number' | 'select' | 'area' | 'json' | 'check' | 'list'
export interface Field {
  name: string
  label: Key
  kind: Kind
  /** The values of a select; a profile's own words, the same in every language. */
  options?: readonly string[]
  unit?: Key
  wide?: boolean
  /** Several lines of it are seen at once. */
  tall?: boolean
}
export interface Group {
  title: Key
  fields: readonly Field[]
}

const number = (name: string, label: Key, unit?: Key): Field => ({ name, label, kind: 'number', ...(unit ? { unit } : {}) })

export const GROUPS: readonly Group[] = [
  {
    title: 'mdWhere',
    fields: [
      { name: 'model', label: 'mdModel', kind: 'text', unit: 'mdProviderModel', wide: true },
      { name: 'base_url', label: 'mdAddress', kind: 'text', unit: 'mdCompatible', wide: true },
      { name: 'key_env', label: 'mdKey', kind: 'text', wide: true },
    ],
  },
  {
    title: 'mdHow',
    fields: [
      number('temperature', 'mdTemperature', 'mdZeroTwo'),
      number('max_tokens', 'mdLongest', 'mdTokens'),
      { name: 'output', label: 'mdOutput', kind: 'select', options: ['', 'auto', 'structured', 'json', 'token', 'plan'] },
      { name: 'reasoning', label: 'mdThinking', kind: 'select', options: ['', 'none', 'minimal', 'low', 'medium', 'high'] },
      number('top_p', 'mdTopP'),
      number('thinking_tokens', 'mdBudget', 'mdTokens'),
      { name: 'seed', label: 'mdSeed', kind: 'text', unit: 'mdSeedUnit' },
      { name: 'stop', label: 'mdStop', kind: 'list', unit: 'mdStopUnit' },
      number('retries', 'mdRetries'),
      number('call_retries', 'mdRepeats'),
      number('timeout_s', 'mdOneCall', 'mdSeconds'),
      number('budget_s', 'mdOneAnswer', 'mdSeconds'),
      { name: 'logprobs', label: 'mdLogprobs', kind: 'check' },
      { name: 'cache', label: 'mdCache', kind: 'check' },
      { name: 'extra_body', label: 'mdExtra', kind: 'json', wide: true },
    ],
  },
  {
    title: 'mdTold',
    fields: [
      { name: 'language', label: 'mdLanguage', kind: 'select', options: ['', 'en', 'zh'] },
      { name: 'memory', label: 'mdMemory', kind: 'select', options: ['', 'none', 'rounds', 'turns', 'summary', 'scratchpad'] },
      { name: 'persona', label: 'mdPersona', kind: 'text' },
      number('memory_rounds', 'mdRoundsKept'),
      { name: 'persona_text', label: 'mdOwnWords', kind: 'area', wide: true },
      { name: 'options', label: 'mdOptions', kind: 'json', wide: true },
      { name: 'system_prompt', label: 'mdSystem', kind: 'area', unit: 'mdVariant', wide: true },
      { name: 'round_prompt', label: 'mdRoundPrompt', kind: 'area', unit: 'mdVariantRound', wide: true },
      { name: 'aside', label: 'mdAside', kind: 'json', unit: 'mdAsideUnit', wide: true, tall: true },
      { name: 'examples', label: 'mdExamples', kind: 'json', unit: 'mdExamplesUnit', wide: true, tall: true },
    ],
  },
  {
    title: 'mdCost',
    fields: [
      number('price.input_usd', 'mdTokensIn', 'mdUsdM'),
      number('price.output_usd', 'mdTokensOut', 'mdUsdM'),
      number('limits.usd', 'mdLimitUsd', 'mdUsdRun'),
      number('limits.tokens', 'mdLimitTokens', 'mdTokens'),
      number('limits.calls', 'mdLimitCalls'),
      number('concurrency', 'mdAtOnce'),
      number('fallback_limit', 'mdFallbacks', 'mdShare'),
    ],
  },
  {
    title: 'mdBatches',
    fields: [
      { name: 'batch.deadline_s', label: 'mdBatch', kind: 'number', unit: 'mdBatchUnit', wide: true },
      number('batch.poll_s', 'mdBatchPoll', 'mdPlainSeconds'),
      number('batch.gather_s', 'mdBatchGather', 'mdPlainSeconds'),
      number('batch.input_usd', 'mdBatchIn', 'mdUsdM'),
      number('batch.output_usd', 'mdBatchOut', 'mdUsdM'),
    ],
  },
]
const ALL = GROUPS.flatMap((group) => group.fields)

/** The field of the form that a path in a profile lies in: `profile.aside.0.ask` is of `aside`; "" where there is none. */
export function fieldAt(path: string): string {
  const inside = path.replace(/^profile\./, '')
  return ALL.find(({ name }) => inside === name || inside.startsWith(`${name}.`))?.name ?? (path === 'name' ? path : '')
}

type Plain = Record<string, unknown>

/** Without what is not set. */
const given = (_: string, value: unknown): unknown => (value === null || (Array.isArray(value) && !value.length) ? undefined : value)

/** A profile as the texts of its fields. */
export function textsOf(profile: Plain): Record<string, string> {
  const at = (name: string): unknown => name.split('.').reduce<unknown>((part, key) => (part as Plain | null)?.[key] ?? null, profile)
  return Object.fromEntries(
    ALL.map(({ name, kind, tall }) => {
      const value = at(name)
      if (tall && Array.isArray(value)) return [name, value.length ? `[${value.map((one) => JSON.stringify(one, given)).join(',\n ')}]` : '']
      if (kind === 'json') return [name, value && Object.keys(value as Plain).length ? JSON.stringify(value) : '']
      if (kind === 'list') return [name, (value as string[] | null)?.join(' | ') ?? '']
      return [name, value === null || value === undefined ? '' : String(value)]
    }),
  )
}

/** What does not read as JSON, by field. */
export class BadField extends Error {
  constructor(readonly field: string) {
    super(field)
  }
}

/** The profile that the texts make, on top of what the page has no field for. An empty field is its default. */
export function profileOf(base: Plain, texts: Record<string, string>): Plain {
  const made: Plain = { ...base }
  for (const { name, kind } of ALL) {
    const text = (texts[name] ?? '').trim()
    const [first = name, rest] = name.split('.')
    let value: unknown = text
    if (kind === 'number' || (name === 'seed' && /^\d+$/.test(text))) value = Number.isFinite(Number(text)) ? Number(text) : text
    if (kind === 'check') value = text === 'true'
    if (kind === 'list') value = text.split('|').map((part) => part.trim()).filter(Boolean)
    if (kind === 'json' && text) {
      try {
        value = JSON.parse(text)
      } catch {
        throw new BadField(name)
      }
    }
    if (rest === undefined) {
      if (text === '') delete made[first]
      else made[first] = value
      continue
    }
    const part = { ...((made[first] as Plain | null | undefined) ?? {}) }
    if (text === '') delete part[rest]
    else part[rest] = value
    if (Object.values(part).some((one) => one !== null)) made[first] = part
    else delete made[first]
  }
  return made
}
