import type { Key } from '../words'
import type { ModelKey } from './words'

/** The fields of a profile as the page groups them. What is JSON is written as JSON. */
export type Kind = 'text' | 'number' | 'select' | 'area' | 'json' | 'check' | 'list' | 'language' | 'persona'
export interface Field {
  name: string
  label: Key | ModelKey
  kind: Kind
  /** The values of a select; what they are called is a word of the page, `PREFIX_value`. */
  options?: { prefix: string; values: readonly string[] }
  /** Its unit, or the bound of its value. */
  unit?: ModelKey
  /** A sentence on how it is written. */
  hint?: Key
  /** What holds where it is empty. */
  usual?: string
  wide?: boolean
  /** Several lines of it are seen at once. */
  tall?: boolean
}
export interface Group {
  title: Key
  fields: readonly Field[]
  /** What is seldom set: it opens on demand, and by itself where something of it is set. */
  more: readonly Field[]
}

const number = (name: string, label: Key | ModelKey, unit?: ModelKey, usual?: string): Field => ({ name, label, kind: 'number', ...(unit ? { unit } : {}), ...(usual ? { usual } : {}) })

export const GROUPS: readonly Group[] = [
  {
    title: 'mdWhere',
    fields: [
      { name: 'model', label: 'mdModel', kind: 'text', hint: 'mdProviderModel', wide: true },
      { name: 'base_url', label: 'mdAddress', kind: 'text', hint: 'mdCompatible', wide: true },
      { name: 'key_env', label: 'mdKey', kind: 'text', wide: true },
    ],
    more: [],
  },
  {
    title: 'mdHow',
    fields: [
      number('temperature', 'mdTemperature', 'unit_temperature'),
      number('max_tokens', 'mdLongest', 'unit_tokens', '1024'),
      { name: 'output', label: 'mdOutput', kind: 'select', options: { prefix: 'plan', values: ['auto', 'structured', 'json', 'token', 'plan'] } },
      { name: 'reasoning', label: 'mdThinking', kind: 'select', options: { prefix: 'thinking', values: ['', 'none', 'minimal', 'low', 'medium', 'high'] } },
      number('retries', 'mdRetries', 'unit_tries', '2'),
      number('call_retries', 'mdRepeats', 'unit_after', '4'),
      number('timeout_s', 'mdOneCall', 'unit_call', '60'),
      number('budget_s', 'mdOneAnswer', 'unit_answer', '180'),
    ],
    more: [
      number('top_p', 'mdTopP', 'unit_topP'),
      number('thinking_tokens', 'mdBudget', 'unit_tokens'),
      { name: 'seed', label: 'mdSeed', kind: 'text', unit: 'unit_seed' },
      { name: 'stop', label: 'mdStop', kind: 'list', hint: 'mdStopUnit' },
      { name: 'logprobs', label: 'mdLogprobs', kind: 'check' },
      { name: 'cache', label: 'mdCache', kind: 'check' },
      { name: 'extra_body', label: 'mdExtra', kind: 'json', wide: true },
    ],
  },
  {
    title: 'mdTold',
    fields: [
      { name: 'language', label: 'mdLanguage', kind: 'language' },
      { name: 'memory', label: 'mdMemory', kind: 'select', options: { prefix: 'memory', values: ['', 'none', 'rounds', 'turns', 'summary', 'scratchpad'] } },
      { name: 'persona', label: 'mdPersona', kind: 'persona' },
      number('memory_rounds', 'mdRoundsKept', 'unit_rounds', '5'),
      { name: 'persona_text', label: 'mdOwnWords', kind: 'area', wide: true },
    ],
    more: [
      { name: 'memory_length', label: 'memoryLength', kind: 'number', unit: 'unit_characters', usual: '2000' },
      { name: 'options', label: 'mdOptions', kind: 'json', wide: true },
      { name: 'system_prompt', label: 'mdSystem', kind: 'area', hint: 'mdVariant', wide: true },
      { name: 'round_prompt', label: 'mdRoundPrompt', kind: 'area', hint: 'mdVariantRound', wide: true },
      { name: 'aside', label: 'mdAside', kind: 'json', hint: 'mdAsideUnit', wide: true, tall: true },
      { name: 'examples', label: 'mdExamples', kind: 'json', hint: 'mdExamplesUnit', wide: true, tall: true },
    ],
  },
  {
    title: 'mdCost',
    fields: [
      { name: 'price.input_usd', label: 'mdTokensIn', kind: 'number' },
      { name: 'price.output_usd', label: 'mdTokensOut', kind: 'number' },
      { name: 'limits.usd', label: 'mdLimitUsd', kind: 'number' },
      number('concurrency', 'mdAtOnce', 'unit_atOnce', '100'),
    ],
    more: [
      number('limits.tokens', 'limitTokens', 'unit_tokensRun'),
      number('limits.calls', 'limitCalls', 'unit_calls'),
      number('fallback_limit', 'mdFallbacks', 'unit_share'),
      { name: 'batch.deadline_s', label: 'mdBatch', kind: 'number', hint: 'mdBatchUnit', wide: true },
      { name: 'batch.poll_s', label: 'mdBatchPoll', kind: 'number' },
      { name: 'batch.gather_s', label: 'mdBatchGather', kind: 'number' },
      { name: 'batch.input_usd', label: 'mdBatchIn', kind: 'number' },
      { name: 'batch.output_usd', label: 'mdBatchOut', kind: 'number' },
    ],
  },
]
/** Units that stand elsewhere on the site too. */
export const SHARED_UNITS: Readonly<Record<string, Key>> = {
  'price.input_usd': 'mdUsdM',
  'price.output_usd': 'mdUsdM',
  'batch.input_usd': 'mdUsdM',
  'batch.output_usd': 'mdUsdM',
  'limits.usd': 'mdUsdRun',
  'batch.poll_s': 'mdPlainSeconds',
  'batch.gather_s': 'mdPlainSeconds',
}
const ALL = GROUPS.flatMap((group) => [...group.fields, ...group.more])

/** The field of the form that a path in a profile lies in: `profile.aside.0.ask` is of `aside`; "" where there is none. */
export function fieldAt(path: string): string {
  const inside = path.replace(/^profile\./, '')
  return ALL.find(({ name }) => inside === name || inside.startsWith(`${name}.`))?.name ?? (path === 'name' ? path : '')
}

type Plain = Record<string, unknown>

/** Whether something of these fields is set: what opens by itself. A field of yes or no says no where nothing is. */
export function isSet(fields: readonly Field[], texts: Readonly<Record<string, string>>): boolean {
  return fields.some(({ name, kind, usual }) => {
    const text = texts[name] ?? ''
    return text !== '' && text !== usual && !(kind === 'check' && text === 'false')
  })
}

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
