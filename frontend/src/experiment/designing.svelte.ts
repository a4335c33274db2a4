import { untrack } from 'svelte'
import { ApiError, fetchGame, fetchModels } from '../api'
import type { Boot } from '../boot'
import { shownTo } from '../form/audience'
import type { Refusal } from '../form/check'
import { labelOf, type GameDetail } from '../form/detail'
import { deepOf, faultsIn, place, type Told } from '../form/faults'
import { focusFault } from '../form/focusing'
import { settingsOf, valueAt } from '../form/inside'
import { fieldsOf, leaves } from '../form/schema'
import { ALL, choiceOf, choose, readSeats, type Choice, type Model } from '../form/seats'
import { laidOver, meant, patchOf, readAll, textsOf } from '../form/written'
import { isMapping } from '../jsonschema'
import { localised, type Facts, type Json } from '../types'
import { farOf } from '../parts/far'
import type { Ui } from '../ui.svelte'
import { combinations, emptyDraft, levelName, seedCount, slugOf, type Draft } from './draft'
import { draftOf, robinBack, seedsText } from './reading'
import { change, check, create, openExperiment, refusalOf, type Checked, type ExperimentDetail, type NewExperiment } from './server'
import { assumedIn, trialOf } from './trial'
import { written } from './writing'

export const LIMITS = ['usd', 'tokens', 'calls'] as const
export type Limit = (typeof LIMITS)[number]
export interface Measure {
  name: string
  label: string
}

const REST_MS = 400
/** The game of a question that none is named for: the one that explains itself at a glance. */
const USUAL = 'mining'
/** So many trials of one design find a name. */
const TRIALS = 50

/** An experiment while it is designed: what stands in the form, the document that comes of it, and what the server says of that. */
export class Designing {
  game = $state('')
  preset = $state('')
  detail = $state.raw<GameDetail | null>(null)
  models = $state.raw<Model[]>([])
  title = $state('')
  slug = $state('')
  /** Of the base's settings, and who sits where in all conditions. */
  texts = $state<Record<string, string>>({})
  choices = $state<Record<string, Choice | undefined>>({})
  draft = $state<Draft>(emptyDraft())
  limits = $state<Record<Limit, string>>({ usd: '', tokens: '', calls: '' })
  /** Who sees the figures; '' as it is usual. */
  audience = $state('')
  /** For whom it is; '' as the site has it. */
  shownTo = $state('')
  pace = $state('0')
  /** How many runs go at once; '' as many as there is room for. */
  atOnce = $state('')
  fallbacks = $state('')
  pilot = $state('')
  /** Standard deviations that are assumed, by measure, as they are written. */
  spreads = $state<Record<string, string>>({})
  /** The small experiment that tries this design out, by its name in addresses. */
  tried = $state('')
  /** The draft that is changed in its place. */
  own = $state('')
  checked = $state.raw<Checked | null>(null)
  /** Names of the conditions as they were last known to be right. */
  conditions = $state.raw<string[]>([])
  top = $state.raw<Told[]>([])
  failure = $state('')
  /** How far a worker is with the forecast. */
  far = $state('')
  isBusy = $state(false)
  #served = $state.raw<Record<string, Told[]>>({})
  #isAsked = $state(false)
  #isLoading = $state(true)
  /** Of the draft as it was read. */
  #tag = ''
  #generation = 0
  /** How all seats are named: `*`, or as a document had it `default`, which leaves those that its base names as they are. */
  #every = ALL
  /** The audience of the one that was taken up: what of it the form has no field for stays. */
  #stands: Facts = {}
  readonly #ui: Ui
  readonly csrf: string
  /** The preset that the address names. */
  readonly #wanted: string
  readonly #query = new URLSearchParams(location.search)

  words = $derived.by(() => this.detail?.words[this.#ui.lang])
  fields = $derived.by(() => (this.detail ? fieldsOf(this.detail.config, this.words) : []))
  /** What stands at a dotted way of the base's settings as they are written, inside structures too. */
  at = (path: string): Json => {
    const whole = leaves(this.fields).find((one) => path === one.path || path.startsWith(`${one.path}.`))
    if (!whole) return null
    const value = meant(whole, this.texts[whole.path] ?? '')
    return path === whole.path ? value : valueAt(value, path.slice(whole.path.length + 1))
  }
  /** Every setting that can differ: the form's, and those inside its structures. */
  settings = $derived.by(() => settingsOf(this.fields, this.at, this.words))
  base = $derived.by(() => this.detail?.presets.find(({ name }) => name === this.preset) ?? this.detail?.presets[0])
  seats = $derived.by(() => (this.base?.seats ?? []).map((agent, seat) => ({ seat, name: this.base?.seat_names[seat] ?? String(seat), role: this.base?.seat_roles[seat] ?? '', agent: labelOf(agent, this.detail?.policies ?? []) })))
  /** Whether it rests on the game alone, and on no preset. */
  isBare = $derived.by(() => typeof this.draft.rest.game === 'string')
  #told = $derived.by(() => (this.words ?? {}) as { metrics?: Record<string, { label: string; format?: string }>; charts?: string[] })
  metrics = $derived.by(() => Object.keys((this.detail as unknown as { measures?: Record<string, string> } | null)?.measures ?? {}).map(this.labelled))
  roundMetrics = $derived.by(() => (this.#told.charts ?? []).map(this.labelled))
  levels = $derived.by(() => Object.fromEntries(this.draft.factors.map((factor) => [factor.name, factor.levels.map((level) => levelName(factor, level))])))
  cells = $derived.by(() => (this.draft.robin || this.draft.sweep ? [] : combinations(this.draft.factors)))
  spareSlug = $derived.by(() => `${this.game}-${this.base?.name ?? 'experiment'}`.replaceAll('_', '-').toLowerCase())
  address = $derived.by(() => this.own || this.slug.trim() || slugOf(this.title, this.spareSlug))
  seeds = $derived.by(() => seedCount(this.draft.seeds))
  /** How many conditions the base plays of its own, where nothing is said to differ. */
  brings = $derived.by(() => (this.isBare || this.draft.factors.length || this.draft.named.length || this.draft.robin || this.draft.sweep ? 1 : (this.base?.conditions.length ?? 1)))
  /** What is sent, and what of it cannot be. */
  whole = $derived.by(() => this.#written())
  /** By place; nobody is told that a field is empty before having pressed Start. */
  faults = $derived.by(() => {
    const all: Record<string, string[]> = Object.fromEntries(Object.entries(this.#served).map(([path, said]) => [path, said.map((each) => each[this.#ui.lang])]))
    for (const [path, { key, facts }] of Object.entries(this.whole.faults)) if (this.#isAsked || key !== 'faultEmpty') all[path] = [this.#ui.t(key, facts)]
    return all
  })
  #assumed = $derived.by(() => assumedIn(this.spreads, this.draft.hypotheses.map(({ metric }) => metric)))
  count = $derived.by(() => Object.keys(this.faults).length + this.top.length)

  constructor(boot: Boot, ui: Ui) {
    this.#ui = ui
    this.csrf = boot.csrf ?? ''
    const [slug, named] = (this.#query.get('preset') ?? '').split('/')
    this.#wanted = named ?? slug ?? ''
    this.game = (named && slug) || this.#query.get('game') || (boot.games?.find((one) => one.slug === USUAL) ?? boot.games?.[0])?.slug || ''
    void fetchModels().then((found) => (this.models = found), () => undefined)
    void this.#load()
    // The server reads along as soon as the writing rests.
    $effect(() => {
      const text = JSON.stringify([this.whole.document, this.#assumed])
      if (this.#isLoading || Object.keys(this.whole.faults).length) return
      const mine = ++this.#generation
      const timer = setTimeout(() => void untrack(() => this.#ask(...(JSON.parse(text) as [Facts, Record<string, number>]), mine)), REST_MS)
      return () => clearTimeout(timer)
    })
  }

  labelled = (name: string): Measure => ({ name, label: this.#told.metrics?.[name]?.label ?? name.replaceAll('_', ' ') })
  formatOf = (name: string): string => this.#told.metrics?.[name]?.format ?? ''

  async #load(): Promise<void> {
    const like = this.#query.get('draft') ?? this.#query.get('like')
    try {
      if (like) await this.#takeUp(like)
      else {
        const wanted = this.#wanted
        await this.useGame(this.game, wanted)
        if (wanted && this.base?.name === wanted && this.base.conditions.length > 1) this.title = localised(this.base.title, this.#ui.lang)
      }
    } catch (error) {
      this.failure = this.#ui.told(refusalOf(error))
    } finally {
      this.#isLoading = false
    }
  }

  /** An experiment that is there: its document, and what stands beside it. */
  async #takeUp(like: string): Promise<void> {
    const { body: found, tag } = await openExperiment(like)
    this.#tag = tag
    const { document } = found
    await this.useGame(found.game, typeof document.base === 'string' ? (document.base.split('/').at(-1) ?? '') : '')
    this.#fill(document)
    this.title = localised(found.title as never, this.#ui.lang)
    this.limits = Object.fromEntries(LIMITS.map((name) => [name, String(found.limits[name] ?? '')])) as Record<Limit, string>
    this.audience = String(found.audience.kind ?? '')
    this.shownTo = shownTo(found.audience)
    this.#stands = found.audience
    this.pace = String(found.pace)
    this.atOnce = String(found.at_once ?? '')
    this.fallbacks = found.stop.fallbacks === undefined ? '' : String(Number(found.stop.fallbacks) * 100)
    if (this.#query.has('draft')) this.own = found.slug
    this.pilot = found.frozen_at ? found.slug : (found.parent ?? '')
  }

  async useGame(slug: string, wanted: string): Promise<void> {
    const detail = await fetchGame(slug)
    this.detail = detail
    this.game = slug
    this.draft = emptyDraft()
    this.#use(wanted && detail.presets.some(({ name }) => name === wanted) ? wanted : (detail.presets[0]?.name ?? ''))
  }

  #use(name: string): void {
    this.preset = name
    const chosen = this.detail?.presets.find((one) => one.name === name)
    if (!chosen || !this.detail) return
    this.texts = textsOf(fieldsOf(this.detail.config), chosen.config)
    this.choices = {}
    if (!chosen.round_robin) return
    // Its agents stand in the form, to be seen and changed, with the matches that it has of each pair.
    this.draft.robin = robinBack(chosen.round_robin, this.detail.policies)
    this.draft.seeds = seedsText({ seeds: chosen.seeds })
  }

  /** A preset to rest on, or '' for the game as it is by default. */
  setBase(name: string): void {
    if (this.base?.round_robin) this.draft.robin = null
    const { game: _game, ...rest } = this.draft.rest
    this.draft.rest = name ? rest : { ...rest, game: this.game }
    if (name) this.#use(name)
    else if (this.detail) {
      this.texts = textsOf(fieldsOf(this.detail.config), {})
      this.choices = {}
    }
  }

  setSlug(slug: string): void {
    this.slug = slug
    this.#served = Object.fromEntries(Object.entries(this.#served).filter(([path]) => path !== 'slug'))
  }

  /** Takes a document up: over the base's settings and seats stand its own. */
  #fill(document: Facts): void {
    if (!this.detail) return
    const { policies } = this.detail
    const plain = fieldsOf(this.detail.config)
    const hasBase = typeof document.base === 'string'
    const over = isMapping(document.config) ? document.config : {}
    const config = laidOver(plain, hasBase ? (this.base?.config ?? {}) : {}, over)
    this.draft = draftOf(document, { fields: plain, policies, config })
    if (!hasBase) this.draft.rest = { ...this.draft.rest, game: this.game }
    this.texts = textsOf(plain, config)
    const given = isMapping(document.seats) ? document.seats : {}
    const rest: Facts = {}
    for (const [key, agent] of Object.entries(given)) {
      if (key === 'default') this.#every = key
      const seat = this.base?.seat_names.indexOf(key) ?? -1
      const where = key === 'default' || key === ALL ? ALL : seat >= 0 ? String(seat) : key
      const found = isMapping(agent) && typeof agent.policy === 'string' ? choose(policies, agent.policy, isMapping(agent.params) ? agent.params : {}) : isMapping(agent) ? choiceOf(policies, { ...agent, kind: String(agent.kind ?? '') } as never) : null
      if (found) this.choices[where] = found
      else rest[key] = agent
    }
    if (Object.keys(rest).length) this.draft.rest = { ...this.draft.rest, seats: rest }
  }

  /** Under the base's own title in every language in which it has it. */
  #titled(): Facts {
    const { lang } = this.#ui
    const said = this.title.trim()
    return said && said === localised(this.base?.title, lang) ? { ...this.base?.title } : { [lang]: said || this.address }
  }

  #written(): { document: Facts; faults: Record<string, Refusal> } {
    const { draft, base, isBare } = this
    const plain = this.detail ? fieldsOf(this.detail.config) : []
    const policies = this.detail?.policies ?? []
    const { values, faults: bad } = readAll(plain, this.texts)
    const { document, faults } = written(draft, { fields: plain, policies, config: values })
    const all: Record<string, Refusal> = { ...faults }
    for (const [path, fault] of Object.entries(bad)) all[`config.${path}`] = fault
    const seated = readSeats(this.choices, this.seats, policies)
    Object.assign(all, seated.faults)
    const usual = isBare ? Object.fromEntries(plain.map((field) => [field.key, field.schema.default ?? null])) : (base?.config ?? {})
    const config = patchOf(plain, values, usual)
    const { [ALL]: every, ...named } = seated.seats
    const sitting = { ...(isMapping(draft.rest.seats) ? draft.rest.seats : {}), ...(every === undefined ? {} : { [this.#every]: every }), ...named }
    const sent: Facts = { ...document, ...(isBare ? {} : { base: `${this.game}/${base?.name ?? ''}` }), title: this.#titled() }
    if (Object.keys(config).length) sent.config = config
    if (Object.keys(sitting).length) sent.seats = sitting
    const numbers = [...LIMITS.map((one) => [`limits.${one}`, this.limits[one]] as const), ['stop.fallbacks', this.fallbacks], ['pace', this.pace], ['at_once', this.atOnce]] as const
    for (const [name, text] of numbers) if (text.trim() && !(Number(text) >= 0)) all[name] = { key: 'faultNumber', facts: { text } }
    return { document: sent, faults: all }
  }

  /** Every place that shows what is wrong with it. */
  #places(): Set<string> {
    const { draft } = this
    const known = new Set(['seeds', 'replicates', 'title', 'slug', 'factors', 'cells', 'conditions', 'hypotheses', 'round_robin', 'round_robin.entrants', 'round_robin.table', 'sensitivity', 'sensitivity.method', 'sensitivity.samples', 'sensitivity.settings', 'sensitivity.metrics', 'limits.usd', 'limits.tokens', 'limits.calls', 'families', 'stopping', 'stopping.rule', 'stopping.looks', 'audience', 'stop', 'pace', 'at_once', 'report', ...leaves(this.fields).map(({ path }) => `config.${path}`)])
    for (const key of [ALL, ...this.seats.map(({ seat }) => String(seat))]) known.add(`seats.${key}`)
    for (const factor of draft.factors) {
      for (const end of ['', '.field', '.profile', '.seats', '.levels', ...factor.levels.map((level) => `.levels.${levelName(factor, level)}`)]) known.add(`factors.${factor.name}${end}`)
    }
    for (const one of draft.named) for (const end of ['', '.config', '.seats', '.profile', '.title']) known.add(`conditions.${one.name}${end}`)
    for (const one of draft.hypotheses) for (const end of ['', '.metric', '.of', '.against', '.factor', '.test', '.interest', '.over', '.unit', '.direction', '.family', '.title', '.written']) known.add(`hypotheses.${one.name}${end}`)
    for (const one of draft.families) known.add(`families.${one.name}`)
    for (const { path } of draft.sweep?.ranges ?? []) known.add(`sensitivity.settings.${path}`)
    for (const one of draft.robin?.entrants ?? []) known.add(`round_robin.entrants.${one.name}`)
    return known
  }

  #refuse(error: unknown): void {
    if (!(error instanceof ApiError) || error.code === 'network') {
      this.failure = this.#ui.told(refusalOf(error))
      return
    }
    const placed = place(faultsIn(error), this.#places(), deepOf(this.fields))
    this.#served = placed.beside
    this.top = placed.top
    if (!Object.keys(placed.beside).length && !placed.top.length) this.failure = this.#ui.told(refusalOf(error))
  }

  async #ask(document: Facts, spread: Record<string, number>, mine: number): Promise<void> {
    const isLate = (): boolean => mine !== this.#generation
    try {
      const found = await check(document, this.csrf, spread, (job) => isLate() || (this.far = farOf(job, this.#ui.t)))
      if (isLate()) return
      this.far = ''
      this.checked = found
      this.conditions = found.conditions
      this.#served = {}
      this.top = []
      this.failure = ''
    } catch (error) {
      if (isLate()) return
      this.far = ''
      this.checked = null
      this.#refuse(error)
      // The names of the conditions may be right all the same, and hypotheses are chosen by them.
      const { hypotheses, families: _families, ...rest } = document
      if (hypotheses) void check(rest, this.csrf).then((found) => isLate() || (this.conditions = found.conditions), () => undefined)
    }
  }

  /** Null: as it is usual. */
  #audience(): Facts | null {
    const kept = this.audience && this.audience === this.#stands.kind ? this.#stands : {}
    const { to: _, ...rest } = { ...kept, ...(this.audience ? { kind: this.audience } : {}) } as Facts
    const asked = { ...rest, ...(this.shownTo ? { to: this.shownTo } : {}) }
    return Object.keys(asked).length ? asked : null
  }

  async send(start: boolean): Promise<void> {
    const made = await this.#kept(start)
    if (made) location.assign(`/e/${made.slug}`)
  }

  /** Plays one seed of each condition beside this design, which is kept as a draft and stays open. */
  async tryOne(): Promise<void> {
    this.tried = ''
    const made = await this.#kept(false)
    if (!made) return
    this.isBusy = true
    try {
      const { tag } = await openExperiment(made.slug)
      this.own = made.slug
      this.#tag = tag
      history.replaceState(null, '', `?draft=${encodeURIComponent(made.slug)}`)
      this.tried = (await this.#started(trialOf(made))).slug
    } catch (error) {
      this.failure = this.#ui.told(refusalOf(error))
    }
    this.isBusy = false
  }

  /** Under the first name that is free, where nobody wrote one: a question that is asked again, or the second trial of a design. */
  async #started(wanted: NewExperiment): Promise<ExperimentDetail> {
    for (let n = 2; ; n++) {
      try {
        return await create({ ...wanted, slug: n === 2 ? wanted.slug : `${wanted.slug}-${n - 1}` }, this.csrf)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'slug_taken' && n < TRIALS)) throw error
      }
    }
  }

  async #kept(start: boolean): Promise<ExperimentDetail | null> {
    this.#isAsked = true
    this.failure = ''
    if (Object.keys(this.whole.faults).length) {
      await focusFault()
      return null
    }
    this.isBusy = true
    const limits = Object.fromEntries(LIMITS.flatMap((name) => (this.limits[name].trim() ? [[name, Number(this.limits[name])]] : [])))
    const stop: Facts = this.fallbacks.trim() ? { fallbacks: Number(this.fallbacks) / 100 } : {}
    const wanted = { slug: this.address, document: this.whole.document, pace: Number(this.pace) || 0, at_once: Number(this.atOnce) || null, limits, audience: this.#audience(), stop, start }
    try {
      return await (this.own ? change(wanted, this.csrf, this.#tag) : this.slug.trim() ? create(wanted, this.csrf) : this.#started(wanted))
    } catch (error) {
      this.#refuse(error)
      await focusFault()
      this.isBusy = false
      return null
    }
  }
}
