import {
  composing,
  defineComposer,
  DraftComposer,
  html,
  keptLetters,
  letterList,
  moved,
  noteText,
  nothing,
  number,
  orderList,
  seatChoice,
  seatName,
  segments,
  stepper,
  type ComposerContext,
  type Say,
  type TemplateResult,
} from '@polity/board'
import { composerSpeaker as speaker, type ComposerWord } from './composerwords'
import { actionOf, arriving, countOf, draftOf, purseOf, rounded, rulesOf, type Draft, type Letter, type Purse } from './orders'
import { readWorld } from './reading'

const MOST = 1_000_000
const KINDS = ['energy', 'minerals', 'food'] as const
type Said = Say<ComposerWord>
/** An order to another seat: who, and how many units. */
type Row = readonly [seat: number, units: number]

interface Button {
  label: string
  key?: string
  disabled?: boolean
  onpress(): void
}

interface Ordered {
  label: string
  who: string
  what: string
  rows: readonly Row[]
  /** What each gets of what it asks for. */
  got: readonly number[]
  put(rows: readonly Row[]): void
  /** What is said of one that is cut to n units, and of one that is not. */
  cut(n: number): string
  done(n: number, i: number): string
}

interface Line {
  what: TemplateResult
  label: string
  removes: string
  to: number
}

/** A table of orders in the order of the rules, with the money that is left after each. */
export default defineComposer({
  sends: () => 'draft',
  action: (draft) => actionOf(draftOf(draft)),
  kept: keptLetters,
  idles: () => true,
  keys: ['a', 'g', 'c'],
  label: (kept, context) => {
    const draft = draftOf(kept)
    const [n, m] = [countOf(draft), draft.messages.filter(({ text }) => text.trim()).length]
    return speaker(context)(m ? 'sendTalk' : n ? 'send' : 'sendNone', { n, m })
  },
  mount: (element, first) => composing(element, first, (now) => new Composer(now)),
})

class Composer extends DraftComposer<Draft> {
  protected override read = draftOf

  /** A adds an attack, G a grant, C a cession. */
  key(key: string): boolean {
    const context = this.now()
    if (context.readonly) return false
    const add = { a: () => this.addAttack(), g: () => this.addGrant(), c: () => this.addCession() }[key.toLowerCase()]
    add?.()
    return add !== undefined
  }

  draw(context: ComposerContext): TemplateResult {
    const say = speaker(context)
    const purse = purseOf(context.frame, context.seat, this.draft)
    return html`${this.money(context, say, purse)} ${this.attacks(context, say, purse)} ${this.arms(context, say, purse)}
      ${this.grants(context, say, purse)} ${this.land(say)} ${rulesOf(context).resources ? this.resources(context, say) : nothing}
      ${(context.dry?.notes ?? []).map((note) => html`<p class="down c-note" role="status">▼ ${noteText(note, context)}</p>`)}
      ${rulesOf(context).messages ? this.talk(context, say) : nothing}`
  }

  /** The first other nation that is not among those; else the first. */
  private other(among: readonly number[] = []): number {
    const { seats, seat } = this.now()
    const others = seats.map((each) => each.seat).filter((each) => each !== seat)
    return others.find((each) => !among.includes(each)) ?? others[0] ?? 0
  }

  private addAttack(): void {
    const { attacks } = this.draft
    const left = this.army - attacks.reduce((sum, { mils }) => sum + mils, 0)
    if (this.army) this.write({ attacks: [...attacks, { on: this.other(attacks.map(({ on }) => on)), mils: Math.max(1, left) }] })
  }

  private addGrant(): void {
    const { frame, seat } = this.now()
    const { left } = purseOf(frame, seat, this.draft)
    const { grants } = this.draft
    this.write({ grants: [...grants, { to: this.other(grants.map(({ to }) => to)), amount: Math.max(1, Math.min(10, left)) }] })
  }

  private addCession(): void {
    const gone = this.draft.cede.map(({ territory }) => territory)
    const [territory] = this.own.filter((each) => !gone.includes(each))
    if (territory !== undefined) this.write({ cede: [...this.draft.cede, { territory, to: this.other() }] })
  }

  private get own(): readonly number[] {
    return readWorld(this.now().frame).nations[this.now().seat]?.territories ?? []
  }

  private get army(): number {
    return readWorld(this.now().frame).nations[this.now().seat]?.army ?? 0
  }

  private money(context: ComposerContext, say: Said, purse: Purse): TemplateResult {
    const { damage, penalty } = rulesOf(context)
    const { income, upkeep, toSpend, left } = purse
    return html`<div class="c-purse" role="status">
        <div class="c-budget">
          <span>${say('sum', { income, upkeep, penalty: purse.penalty })}</span>
          <span><b class="strong">${number(toSpend)}</b> ${say('toSpend')}</span>
        </div>
        <b class="strong">${say('leftOver', { n: left })}</b>
      </div>
      <p class="c-hint">${say('warning', { damage, penalty: rounded(penalty * this.own.length) })}</p>`
  }

  private head(title: string, note: string): TemplateResult {
    return html`<div class="c-head"><h3>${title}</h3><span class="grow"></span><small class="faint">${note}</small></div>`
  }

  private attacks(context: ComposerContext, say: Said, { army, sent }: Purse): TemplateResult {
    return this.section(say('attacks'), say('attacksNote', { n: army }), say(army ? 'noAttacks' : 'noArmy'), { label: say('addAttack'), key: 'A', disabled: !army, onpress: () => this.addAttack() }, this.ordered(say, {
      label: say('attacks'), who: say('target'), what: say('mils'), got: sent,
      rows: this.draft.attacks.map(({ on, mils }) => [on, mils]),
      put: (rows) => this.write({ attacks: rows.map(([on, mils]) => ({ on, mils })) }),
      cut: (n) => say('cutTo', { n }),
      done: (n) => say('destroys', { n: rounded(n * rulesOf(context).damage) }),
    }))
  }

  private grants(context: ComposerContext, say: Said, { paid, after }: Purse): TemplateResult {
    const { trade } = rulesOf(context)
    return this.section(say('grants'), say('grantsNote', { trade }), say('noGrants'), { label: say('addGrant'), key: 'G', onpress: () => this.addGrant() }, this.ordered(say, {
      label: say('grants'), who: say('receiver'), what: say('money'), got: paid,
      rows: this.draft.grants.map(({ to, amount }) => [to, amount]),
      put: (rows) => this.write({ grants: rows.map(([to, amount]) => ({ to, amount })) }),
      cut: (n) => (n ? say('cutTo', { n }) : say('nothingLeft')),
      done: (n, i) => `${say('arrives', { n: arriving(n, trade) })} · ${say('after', { n: after[i] ?? 0 })}`,
    }))
  }

  /** A list under its title, what is said where it is empty, and a button for one more entry. */
  private section(title: string, note: string, empty: string, add: Button, rows: readonly TemplateResult[]): TemplateResult {
    return html`${this.head(title, note)} ${rows.length ? rows : html`<p class="c-hint">${empty}</p>`}
      <button type="button" class="btn" aria-keyshortcuts=${add.key ?? nothing} ?disabled=${this.now().readonly || add.disabled} @click=${add.onpress}>${add.label}</button>`
  }

  /** Orders to others in their order, each with what is left of it, as a list; nothing where there are none. */
  private ordered(say: Said, { label, who, what, rows, got, put, cut, done }: Ordered): TemplateResult[] {
    const { readonly, seats, seat: own } = this.now()
    const change = (i: number, row: Row): void => put(rows.map((each, j) => (j === i ? row : each)))
    const draw = ([seat, units]: Row, i: number): TemplateResult => {
      const left = got[i] ?? 0
      return html`<span class="c-name">${seatChoice({ label: `${who} ${i + 1}`, seats, own, value: seat, disabled: readonly, onset: (to) => change(i, [to, units]) })}</span>
        <span class="c-cost">${this.stepper(say, `${what}: ${seatName(seats, seat)}`, units, 1, (next) => change(i, [seat, next]))}</span>
        <small class="c-why ${left < units ? 'down' : 'mut'}">${left < units ? `▼ ${cut(left)}` : done(left, i)}</small>`
    }
    if (!rows.length) return []
    return [orderList<Row>({
      label, rows, draw, keyOf: (_, i) => String(i), nameOf: ([seat]) => seatName(seats, seat), isOut: (i) => !got[i], disabled: readonly,
      words: { up: say('up'), down: say('down'), remove: say('remove'), drag: say('drag') },
      onmove: (from, to) => put(moved(rows, from, to)), onremove: (i) => put(rows.filter((_, j) => j !== i)),
    })]
  }

  private arms(context: ComposerContext, say: Said, { bought }: Purse): TemplateResult {
    const { buy, disband } = this.draft
    const { price, upkeep } = rulesOf(context)
    return html`${this.head(say('arms'), say('armsNote', { price, upkeep }))}
      <div class="c-line"><span class="c-name">${say('buy')}</span> ${this.stepper(say, say('buy'), buy, 0, (next) => this.write({ buy: next }))}
        <small class="down">${bought < buy ? `▼ ${bought ? say('cutTo', { n: bought }) : say('nothingLeft')}` : ''}</small></div>
      <div class="c-line"><span class="c-name">${say('disband')}</span> ${this.stepper(say, say('disband'), disband, 0, (next) => this.write({ disband: next }))}
        <small class="mut">${say('last')}</small></div>`
  }

  private land(say: Said): TemplateResult {
    const { cede } = this.draft
    const put = (cede: Draft['cede']): void => this.write({ cede })
    const add = { label: say('addCession'), key: 'C', disabled: cede.length >= this.own.length, onpress: () => this.addCession() }
    const rows = this.lines(say, cede, put, ({ territory, to }, i, change) => ({
      what: this.choice(`${say('territory')} ${i + 1}`, this.own.map(String), String(territory), (next) => change({ territory: Number(next) })),
      label: `${say('territory')} ${territory}`, removes: `${say('territory')} ${territory}`, to,
    }))
    return this.section(say('land'), say('landNote'), say(this.own.length ? 'noCessions' : 'noLand'), add, rows)
  }

  private resources(context: ComposerContext, say: Said): TemplateResult {
    const { resources } = this.draft
    const put = (resources: Draft['resources']): void => this.write({ resources })
    const add = { label: say('addResource'), onpress: () => put([...resources, { to: this.other(), resource: 'energy', amount: 1 }]) }
    const rows = this.lines(say, resources, put, ({ to, resource, amount }, i, change) => ({
      what: html`${this.choice(`${say('kind')} ${i + 1}`, KINDS, resource, (next) => change({ resource: next }), (kind) => nameOf(context, kind))}
        ${this.stepper(say, `${say('units')} ${i + 1}`, amount, 1, (next) => change({ amount: next }))}`,
      label: `${nameOf(context, resource)} ${i + 1}`, removes: `${say('resources')} ${i + 1}`, to,
    }))
    return this.section(say('resources'), say('resourcesNote'), say('noResources'), add, rows)
  }

  /** What is handed over, a line for each: what it is, → to whom, and a button that takes it away. */
  private lines<T extends { to: number }>(say: Said, entries: readonly T[], put: (entries: T[]) => void, look: (entry: T, i: number, change: (part: Partial<T>) => void) => Line): TemplateResult[] {
    const { readonly, seats, seat: own } = this.now()
    return entries.map((entry, i) => {
      const change = (part: Partial<T>): void => put(entries.map((each, j) => (j === i ? { ...each, ...part } : each)))
      const { what, label, removes, to } = look(entry, i, change)
      return html`<div class="c-line">
        ${what} → ${seatChoice({ label: `${say('receiver')}: ${label}`, seats, own, value: to, disabled: readonly, onset: (next) => change({ to: next } as Partial<T>) })}
        <button type="button" class="btn bare ico" aria-label="${say('remove')}: ${removes}" ?disabled=${readonly} @click=${() => put(entries.filter((_, j) => j !== i))}>×</button>
      </div>`
    })
  }

  private talk(context: ComposerContext, say: Said): TemplateResult {
    const { messages } = this.draft
    const { messages: most, message_length: length } = rulesOf(context)
    return html`${this.head(say('messages'), `${say('messagesNote')} · ${messages.length} / ${most}`)}
      ${letterList<Letter>(context, {
        letters: messages,
        most,
        length,
        blank: { to: 'all', text: '', promise: null },
        say,
        onset: (messages) => this.write({ messages }),
        beside: (letter, i, put) => this.promise(say, letter, i, put),
      })}`
  }

  /** Marks a message as a promise, with what is promised and for how long. */
  private promise(say: Said, { promise }: Letter, i: number, put: (change: Partial<Letter>) => void): TemplateResult {
    const { readonly } = this.now()
    const set = (part: object): void => put({ promise: { kind: 'peace', amount: 0, turns: 1, ...promise, ...part } })
    return html`${segments<string>({
        label: `${say('asPromise')} ${i + 1}`,
        name: `promise-${i}`,
        value: promise?.kind ?? '',
        choices: [{ value: '', label: say('noPromise') }, ...(['peace', 'grant', 'cede'] as const).map((kind) => ({ value: kind, label: say(kind) }))],
        disabled: readonly,
        onset: (kind) => (kind ? set({ kind, amount: kind === 'peace' ? 0 : kind === 'grant' ? 10 : (this.own[0] ?? 1) }) : put({ promise: null })),
      })}
      ${promise
        ? html`<div class="c-line">
            ${promise.kind === 'peace' ? nothing : this.stepper(say, `${say('amount')} ${i + 1}`, promise.amount, 1, (amount) => set({ amount }))}
            <span>${say('within')}</span> ${this.stepper(say, `${say('within')} ${i + 1}`, promise.turns, 1, (turns) => set({ turns: Math.min(100, turns) }))}
          </div>`
        : nothing}`
  }

  private stepper(say: Said, label: string, value: number, min: number, onset: (value: number) => void): TemplateResult {
    return stepper({ label, value, min, max: MOST, disabled: this.now().readonly, less: say('less'), more: say('more'), onset })
  }

  private choice(label: string, values: readonly string[], value: string, onset: (value: string) => void, named = (one: string): string => one): TemplateResult {
    return html`<select class="field" aria-label=${label} ?disabled=${this.now().readonly} @change=${(event: Event) => onset((event.target as HTMLSelectElement).value)}>
      ${values.map((one) => html`<option value=${one} .selected=${one === value}>${named(one)}</option>`)}
    </select>`
  }
}

/** What the game calls a thing. */
function nameOf({ words }: ComposerContext, kind: string): string {
  const names = words.names
  const found = names && typeof names === 'object' ? (names as Record<string, unknown>)[kind] : undefined
  return typeof found === 'string' ? found : kind
}
