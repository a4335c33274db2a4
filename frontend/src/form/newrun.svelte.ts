import { untrack } from 'svelte'
import { ApiError, createRun, estimateRun, fetchGame, fetchModels, fetchPreset, type Estimate, type NewRun } from '../api'
import type { Boot } from '../boot'
import { readTerms, termTexts, USUAL_TERMS, type TermTexts } from '../people/terms'
import { asFault } from '../record/session.svelte'
import type { Facts, Json } from '../types'
import type { Ui } from '../ui.svelte'
import type { Refusal } from './check'
import { labelOf, type GameDetail, type Preset } from './detail'
import { deepOf, faultsIn, place, type Told } from './faults'
import { grouped } from './presets'
import { fieldsOf, leaves } from './schema'
import { ALL, choiceOf, keyOfRole, readSeats, rolesOf, type Choice, type Model } from './seats'
import { checkConfig, type Shape } from './shape'
import { patchOf, readAll, textsOf } from './written'

const SEED_MAX = 2n ** 63n - 1n
const DELAY_MAX = 10_000n
/** The preset to begin with, where the game has it. */
const USUAL = ['baseline', 'mixed']
const PEOPLE = ['deadline_s', 'tick_s', 'grace_s', 'room_s', 'labels', 'consent', 'completion_code', 'completion_url']
const LIMITS = ['usd', 'tokens', 'calls'] as const

/** How much may be spent on models, as it is written. */
export type LimitTexts = Record<(typeof LIMITS)[number], string>

/** A new run as it is written: what is chosen, what that would make and cost, and what is wrong with it. */
export class NewRunForm {
  readonly game: string
  /** The run that this one shall be like. */
  readonly like: Boot['like']
  detail = $state.raw<GameDetail | null>(null)
  /** Why the form could not be loaded. */
  unloaded = $state('')
  presetName = $state('')
  find = $state('')
  texts = $state<Record<string, string>>({})
  choices = $state<Record<string, Choice | undefined>>({})
  models = $state.raw<Model[]>([])
  limits = $state<LimitTexts>({ usd: '', tokens: '', calls: '' })
  seed = $state('')
  pace = $state(2)
  audience = $state<string>('omniscient')
  delay = $state('10')
  /** For whom: as the site has it, everyone, whoever has the address, members. */
  shownTo = $state<string>('')
  terms = $state<TermTexts>({ ...USUAL_TERMS })
  /** What the settings make as they are written; null until the server has said it. */
  shape = $state.raw<Shape | null>(null)
  estimate = $state.raw<Estimate | null>(null)
  isStarting = $state(false)
  /** Whether Start was pressed since the last preset was chosen: before, faults stand beside their fields alone. */
  isTried = $state(false)
  failure = $state('')
  top = $state.raw<Told[]>([])

  /** The preset with another than its first condition. */
  #other = $state.raw<Preset | null>(null)
  #isLike = $state(false)
  /** Refusals are worded when shown, so that they follow the language. */
  #refused = $state.raw<Record<string, Refusal>>({})
  #told = $state.raw<Record<string, Told[]>>({})
  readonly #csrf: string
  readonly #ui: Ui

  readonly words = $derived.by(() => this.detail?.words[this.#ui.lang])
  readonly fields = $derived.by(() => (this.detail ? fieldsOf(this.detail.config, this.words) : []))
  readonly preset = $derived.by(() => this.#other ?? this.detail?.presets.find(({ name }) => name === this.presetName) ?? this.detail?.presets[0])
  readonly found = $derived.by(() => (this.detail ? grouped(this.detail.presets, this.find, this.#ui.lang) : []))
  /** Whose seats are listed: those of the run that this one shall be like, until a preset is chosen. */
  readonly #seated = $derived.by(() => (this.#isLike && this.like ? this.like : this.preset))
  /** Those that the settings make; who sits where is the preset's as far as it goes, then the default of the role. */
  readonly seats = $derived.by(() => {
    const seated = this.#seated
    const made = this.shape?.seats ?? (seated?.seats ?? []).map((_, seat) => ({ name: seated?.seat_names[seat] ?? String(seat), role: seated?.seat_roles[seat] ?? '' }))
    return made.map(({ name, role }, seat) => {
      const agent = seated?.seats[seat]
      return { seat, name, role, agent: agent ? labelOf(agent, this.detail?.policies ?? []) : (this.detail?.role_defaults[role] ?? this.detail?.default_policy ?? '') }
    })
  })
  readonly hasModels = $derived.by(() => {
    const isKept = (this.#seated?.seats ?? []).some((agent, seat) => agent.kind === 'model' && !this.#choiceAt(seat, this.seats[seat]?.role ?? ''))
    return isKept || Object.values(this.choices).some((choice) => choice?.model)
  })
  readonly hasPeople = $derived.by(() => Object.values(this.choices).some((choice) => choice?.isPerson))
  /** Who would sit in each seat, in a word. */
  readonly agents = $derived.by(() =>
    this.seats.map(({ seat, role, agent }) => {
      const choice = this.#choiceAt(seat, role)
      return !choice ? agent : choice.isPerson ? this.#ui.t('person') : (choice.model?.name ?? choice.policy)
    }),
  )
  /** What is wrong, by place, in the language of the page. */
  readonly faults = $derived.by(() => {
    const all: Record<string, string[]> = Object.fromEntries(Object.entries(this.#told).map(([path, said]) => [path, said.map((each) => each[this.#ui.lang])]))
    for (const [path, { key, facts }] of Object.entries(this.#refused)) all[path] = [this.#ui.t(key, facts), ...(all[path] ?? [])]
    return all
  })
  readonly configFaults = $derived.by(() => Object.fromEntries(Object.entries(this.faults).flatMap(([path, found]) => (path.startsWith('config.') ? [[path.slice(7), found]] : []))))
  readonly count = $derived.by(() => Object.keys(this.faults).length + this.top.length)

  constructor({ game = '', like = null, csrf = '' }: Boot, ui: Ui) {
    this.game = game
    this.like = like
    this.#csrf = csrf
    this.#ui = ui
    void this.#load()
    // Where people play, spectators see what is public unless more is chosen.
    $effect(() => {
      if (this.hasPeople) untrack(() => (this.audience = this.audience === 'omniscient' && !(this.#isLike && like?.people) ? 'public' : this.audience))
    })
    // What the models are likely to cost, a moment after the last change; what is wrong is said at the start.
    $effect(() => {
      const [texts, choices, limits] = [$state.snapshot(this.texts), $state.snapshot(this.choices) as typeof this.choices, $state.snapshot(this.limits)]
      void [this.seed, limits]
      if (!this.detail || !this.preset || !this.hasModels) return
      const timer = setTimeout(() => this.#estimate(texts, choices), 700)
      return () => clearTimeout(timer)
    })
    // How many seats and rounds the settings make, a moment after the last change; as long as they can be read.
    $effect(() => {
      const texts = $state.snapshot(this.texts)
      if (!this.detail) return
      const timer = setTimeout(() => {
        const { values, faults } = readAll(this.fields, texts)
        if (!Object.keys(faults).length) void checkConfig(game, csrf, values).then((made) => (this.shape = made), () => undefined)
      }, 400)
      return () => clearTimeout(timer)
    })
  }

  /** Begins with a preset, its first condition. */
  use(name: string): void {
    this.presetName = name
    this.#other = null
    this.estimate = null
    const chosen = this.detail?.presets.find((one) => one.name === name)
    if (!chosen || !this.detail) return
    this.texts = textsOf(fieldsOf(this.detail.config), chosen.config)
    this.choices = {}
    this.#isLike = false
    this.isTried = false
    this.seed = ''
    this.#forget()
  }

  /** Another condition of the preset: its settings and seats take the place of the first one's. */
  async useCondition(condition: string): Promise<void> {
    if (!this.detail || !this.preset) return
    try {
      const found = await fetchPreset(this.game, this.preset.name, condition)
      this.use(found.name)
      this.#other = found
      this.texts = textsOf(fieldsOf(this.detail.config), found.config)
    } catch (error) {
      this.failure = this.#ui.told(asFault(error, 'control'))
    }
  }

  /** What is wrong with a field is said when it is left; with the others when they are, or at the start. */
  left(at: string): void {
    let fault: Refusal | null | undefined
    if (at.startsWith('config.')) fault = readAll(this.fields, this.texts).faults[at.slice(7)]
    else if (at === 'seed') fault = this.#seedFault()
    else if ((LIMITS as readonly string[]).includes(at)) fault = this.#limitFaults()[at]
    if (fault) this.#refused = { ...this.#refused, [at]: fault }
  }

  /** What is being mended is no longer called wrong. */
  mended(path: string): void {
    const isAt = (key: string): boolean => key === path || key.startsWith(`${path}.`)
    const without = <T,>(from: Record<string, T>): Record<string, T> => Object.fromEntries(Object.entries(from).filter(([key]) => !isAt(key)))
    if (Object.keys(this.#refused).some(isAt)) this.#refused = without(this.#refused)
    if (Object.keys(this.#told).some(isAt)) this.#told = without(this.#told)
  }

  /** Starts the run; where it is, or null where something is wrong, which then stands in its place. */
  async start(): Promise<string | null> {
    if (!this.preset || !this.detail || this.isStarting) return null
    this.#forget()
    this.isTried = true
    const { values, seats, people, faults } = this.#read()
    if (Object.keys(faults).length) {
      this.#refused = faults
      return null
    }
    this.isStarting = true
    try {
      const made = await createRun(this.#csrf, this.#wanted(values, seats, people))
      // Whoever invites people needs their addresses first.
      return `/m/${made.id}${this.hasPeople ? '?tab=people' : ''}`
    } catch (error) {
      this.isStarting = false
      this.#refusedBy(error)
      return null
    }
  }

  async #load(): Promise<void> {
    void fetchModels().then((found) => (this.models = found), () => undefined)
    try {
      const found = await fetchGame(this.game)
      this.detail = found
      const wanted = this.like?.scenario.split('/').at(-1) ?? new URLSearchParams(location.search).get('preset')
      const first = [wanted, ...USUAL].find((one) => found.presets.some(({ name }) => name === one))
      this.use(first ?? grouped(found.presets, '', this.#ui.lang)[0]?.presets[0]?.name ?? '')
      this.#fillLike(found)
    } catch (error) {
      this.unloaded = this.#ui.told(asFault(error, 'load'))
    }
  }

  #fillLike(found: GameDetail): void {
    const { like } = this
    if (!like) return
    this.#isLike = true
    this.texts = textsOf(fieldsOf(found.config), like.config)
    this.choices = Object.fromEntries(like.seats.map((agent, seat) => [String(seat), choiceOf(found.policies, agent) ?? undefined]))
    this.seed = like.seed
    this.pace = like.pace
    this.audience = like.audience.kind
    this.delay = String(like.audience.delay ?? 10)
    this.shownTo = like.audience.to ?? ''
    if (like.people) this.terms = termTexts(like.people)
  }

  #choiceAt(seat: number, role: string): Choice | undefined {
    return this.choices[seat] ?? this.choices[keyOfRole(role)] ?? this.choices[ALL]
  }

  #forget(): void {
    this.#refused = {}
    this.#told = {}
    this.top = []
    this.failure = ''
  }

  #estimate(texts: Record<string, string>, choices: Record<string, Choice | undefined>): void {
    const { values, faults } = readAll(this.fields, texts)
    const read = this.#readSeats(choices)
    if (Object.keys(faults).length || Object.keys(read.faults).length) this.estimate = null
    else void estimateRun(this.#csrf, this.#wanted(values, read.seats, null)).then((found) => (this.estimate = found), () => (this.estimate = null))
  }

  #readSeats(choices: Record<string, Choice | undefined>): ReturnType<typeof readSeats> {
    return readSeats(choices, this.seats, this.detail?.policies ?? [], this.#isLike && this.like ? this.like.seats : [])
  }

  /** All that is written, read; what cannot be, by its place. */
  #read(): { values: Facts; seats: Record<string, Json>; people: ReturnType<typeof readTerms> | null; faults: Record<string, Refusal> } {
    const { values, faults: bad } = readAll(this.fields, this.texts)
    const { seats, faults } = this.#readSeats(this.choices)
    const found: Record<string, Refusal> = { ...faults }
    for (const [path, fault] of Object.entries(bad)) found[`config.${path}`] = fault
    const seedFault = this.#seedFault()
    if (seedFault) found.seed = seedFault
    Object.assign(found, this.#limitFaults())
    const delayFault = this.audience === 'delayed' ? whole(this.delay.trim(), DELAY_MAX) : null
    if (delayFault) found.delay = delayFault
    const people = this.hasPeople ? readTerms(this.terms) : null
    return { values, seats, people, faults: { ...found, ...people?.faults } }
  }

  #seedFault(): Refusal | null {
    const text = this.seed.trim()
    return text ? whole(text, SEED_MAX) : null
  }

  #limitFaults(): Record<string, Refusal> {
    if (!this.hasModels) return {}
    const isBad = (name: string, text: string): boolean => text !== '' && !(name === 'usd' ? Number(text) > 0 : /^[1-9]\d*$/.test(text))
    const written = LIMITS.map((name) => [name, this.limits[name].trim()] as const)
    return Object.fromEntries(written.filter(([name, text]) => isBad(name, text)).map(([name, text]) => [name, { key: 'faultAbove', facts: { value: text, bound: '0' } } satisfies Refusal]))
  }

  #wanted(values: Facts, seats: Record<string, Json>, people: ReturnType<typeof readTerms> | null): NewRun {
    const limits = Object.fromEntries(LIMITS.flatMap((name) => (this.limits[name].trim() ? [[name, Number(this.limits[name])]] : [])))
    return {
      scenario: `${this.game}/${this.preset?.name ?? ''}`,
      condition: this.preset?.condition ?? null,
      config: patchOf(this.fields, values, this.preset?.config ?? {}),
      seats,
      seed: this.seed.trim() || null,
      pace: this.pace,
      ...(people ? { people: people.people } : {}),
      audience: { ...(this.audience === 'delayed' ? { kind: this.audience, delay: Number(this.delay) } : { kind: this.audience }), ...(this.shownTo ? { to: this.shownTo } : {}) },
      ...(this.hasModels && Object.keys(limits).length ? { limits } : {}),
    }
  }

  #refusedBy(error: unknown): void {
    if (!(error instanceof ApiError) || !error.faults.length) {
      this.failure = this.#ui.told(asFault(error, 'control'))
      return
    }
    const { beside, top } = place(faultsIn(error), this.#places(), deepOf(this.fields))
    const byNumber = new Map(this.seats.map(({ seat, name }) => [`seats.${name}`, `seats.${seat}`]))
    this.#told = Object.fromEntries(Object.entries(beside).map(([path, said]) => [byNumber.get(path) ?? path, said]))
    this.top = top
  }

  /** Where a fault can stand. */
  #places(): Set<string> {
    return new Set([
      ...['seed', 'pace', 'delay', 'people', ...LIMITS],
      ...PEOPLE.map((name) => `people.${name}`),
      ...leaves(this.fields).map(({ path }) => `config.${path}`),
      ...[ALL, ...rolesOf(this.seats).map(keyOfRole)].map((key) => `seats.${key}`),
      ...this.seats.flatMap(({ seat, name }) => [`seats.${seat}`, `seats.${name}`]),
    ])
  }
}

function whole(text: string, most: bigint): Refusal | null {
  if (!/^\d+$/.test(text)) return { key: 'faultWhole', facts: { text } }
  return BigInt(text) > most ? { key: 'faultMax', facts: { value: text, bound: String(most) } } : null
}
