import {
  choice,
  composing,
  defineComposer,
  DraftComposer,
  html,
  keptLetters,
  letterList,
  noteText,
  nothing,
  number,
  orderList,
  remover,
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

/** A table of orders in the order of the rules, with the money that is left after each. */
export default defineComposer({
  sends: () => 'draft',
  action: (draft) => actionOf(draftOf(draft)),
  kept: keptLetters,
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
      ${this.grants(context, say, purse)} ${this.land(context, say)} ${rulesOf(context).resources ? this.resources(context, say) : nothing}
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
    const army = readWorld(this.now().frame).nations[this.now().seat]?.army ?? 0
    const left = army - this.draft.attacks.reduce((sum, { mils }) => sum + mils, 0)
    if (army) this.write({ attacks: [...this.draft.attacks, { on: this.other(this.draft.attacks.map(({ on }) => on)), mils: Math.max(1, left) }] })
  }

  private addGrant(): void {
    const { frame, seat } = this.now()
    const { left } = purseOf(frame, seat, this.draft)
    this.write({ grants: [...this.draft.grants, { to: this.other(this.draft.grants.map(({ to }) => to)), amount: Math.max(1, Math.min(10, left)) }] })
  }

  private addCession(): void {
    const gone = this.draft.cede.map(({ territory }) => territory)
    const [territory] = this.own.filter((one) => !gone.includes(one))
    if (territory !== undefined) this.write({ cede: [...this.draft.cede, { territory, to: this.other() }] })
  }

  private get own(): readonly number[] {
    return readWorld(this.now().frame).nations[this.now().seat]?.territories ?? []
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
    const { attacks } = this.draft
    const { readonly, seats } = context
    const change = (i: number, part: object): void => this.write({ attacks: attacks.map((one, j) => (j === i ? { ...one, ...part } : one)) })
    const row = ({ on, mils }: (typeof attacks)[number], i: number): TemplateResult => {
      const got = sent[i] ?? 0
      return html`<span class="c-name">${seatChoice(context, { label: `${say('target')} ${i + 1}`, value: on, onset: (to) => change(i, { on: to }) })}</span>
        <span class="c-cost">${this.stepper(`${say('mils')}: ${seatName(seats, on)}`, mils, 1, (next) => change(i, { mils: next }))}</span>
        <small class="c-why ${got < mils ? 'down' : 'mut'}">${got < mils ? `▼ ${say('cutTo', { n: got })}` : say('destroys', { n: rounded(got * rulesOf(context).damage) })}</small>`
    }
    return html`${this.head(say('attacks'), say('attacksNote', { n: army }))}
      ${attacks.length
        ? orderList(context, {
            label: say('attacks'), rows: attacks, keyOf: (_, i) => String(i), nameOf: ({ on }) => seatName(seats, on), draw: row, isOut: (i) => !sent[i],
            onset: (attacks) => this.write({ attacks }),
          })
        : html`<p class="c-hint">${say(army ? 'noAttacks' : 'noArmy')}</p>`}
      <button type="button" class="btn" aria-keyshortcuts="A" ?disabled=${readonly || !army} @click=${() => this.addAttack()}>${say('addAttack')}</button>`
  }

  private arms(context: ComposerContext, say: Said, { bought }: Purse): TemplateResult {
    const { buy, disband } = this.draft
    const { price, upkeep } = rulesOf(context)
    return html`${this.head(say('arms'), say('armsNote', { price, upkeep }))}
      <div class="c-line"><span class="c-name">${say('buy')}</span> ${this.stepper(say('buy'), buy, 0, (next) => this.write({ buy: next }))}
        <small class="down">${bought < buy ? `▼ ${bought ? say('cutTo', { n: bought }) : say('nothingLeft')}` : ''}</small></div>
      <div class="c-line"><span class="c-name">${say('disband')}</span> ${this.stepper(say('disband'), disband, 0, (next) => this.write({ disband: next }))}
        <small class="mut">${say('last')}</small></div>`
  }

  private grants(context: ComposerContext, say: Said, { paid, after }: Purse): TemplateResult {
    const { grants } = this.draft
    const { readonly, seats } = context
    const { trade } = rulesOf(context)
    const change = (i: number, part: object): void => this.write({ grants: grants.map((one, j) => (j === i ? { ...one, ...part } : one)) })
    const row = ({ to, amount }: (typeof grants)[number], i: number): TemplateResult => {
      const got = paid[i] ?? 0
      const told = got < amount ? `▼ ${got ? say('cutTo', { n: got }) : say('nothingLeft')}` : `${say('arrives', { n: arriving(got, trade) })} · ${say('after', { n: after[i] ?? 0 })}`
      return html`<span class="c-name">${seatChoice(context, { label: `${say('receiver')} ${i + 1}`, value: to, onset: (next) => change(i, { to: next }) })}</span>
        <span class="c-cost">${this.stepper(`${say('money')}: ${seatName(seats, to)}`, amount, 1, (next) => change(i, { amount: next }))}</span>
        <small class="c-why ${got < amount ? 'down' : 'mut'}">${told}</small>`
    }
    return html`${this.head(say('grants'), say('grantsNote', { trade }))}
      ${grants.length
        ? orderList(context, {
            label: say('grants'), rows: grants, keyOf: (_, i) => String(i), nameOf: ({ to }) => seatName(seats, to), draw: row, isOut: (i) => !paid[i],
            onset: (grants) => this.write({ grants }),
          })
        : html`<p class="c-hint">${say('noGrants')}</p>`}
      <button type="button" class="btn" aria-keyshortcuts="G" ?disabled=${readonly} @click=${() => this.addGrant()}>${say('addGrant')}</button>`
  }

  private land(context: ComposerContext, say: Said): TemplateResult {
    const { cede } = this.draft
    const { readonly } = context
    const change = (i: number, part: object): void => this.write({ cede: cede.map((one, j) => (j === i ? { ...one, ...part } : one)) })
    return html`${this.head(say('land'), say('landNote'))}
      ${cede.map(
        ({ territory, to }, i) => html`<div class="c-line">
          ${choice(context, { label: `${say('territory')} ${i + 1}`, value: territory, choices: this.own.map((value) => ({ value, label: String(value) })), onset: (next) => change(i, { territory: next }) })}
          → ${seatChoice(context, { label: `${say('receiver')}: ${say('territory')} ${territory}`, value: to, onset: (next) => change(i, { to: next }) })}
          ${remover(context, `${say('territory')} ${territory}`, () => this.write({ cede: cede.filter((_, j) => j !== i) }))}
        </div>`,
      )}
      ${cede.length ? nothing : html`<p class="c-hint">${say(this.own.length ? 'noCessions' : 'noLand')}</p>`}
      <button type="button" class="btn" aria-keyshortcuts="C" ?disabled=${readonly || cede.length >= this.own.length} @click=${() => this.addCession()}>${say('addCession')}</button>`
  }

  private resources(context: ComposerContext, say: Said): TemplateResult {
    const { resources } = this.draft
    const { readonly } = context
    const change = (i: number, part: object): void => this.write({ resources: resources.map((one, j) => (j === i ? { ...one, ...part } : one)) })
    return html`${this.head(say('resources'), say('resourcesNote'))}
      ${resources.map(
        ({ to, resource, amount }, i) => html`<div class="c-line">
          ${choice<string>(context, { label: `${say('kind')} ${i + 1}`, value: resource, choices: KINDS.map((value) => ({ value, label: nameOf(context, value) })), onset: (next) => change(i, { resource: next }) })}
          ${this.stepper(`${say('units')} ${i + 1}`, amount, 1, (next) => change(i, { amount: next }))}
          → ${seatChoice(context, { label: `${say('receiver')}: ${nameOf(context, resource)} ${i + 1}`, value: to, onset: (next) => change(i, { to: next }) })}
          ${remover(context, `${say('resources')} ${i + 1}`, () => this.write({ resources: resources.filter((_, j) => j !== i) }))}
        </div>`,
      )}
      ${resources.length ? nothing : html`<p class="c-hint">${say('noResources')}</p>`}
      <button type="button" class="btn" ?disabled=${readonly} @click=${() => this.write({ resources: [...resources, { to: this.other(), resource: 'energy', amount: 1 }] })}>${say('addResource')}</button>`
  }

  private talk(context: ComposerContext, say: Said): TemplateResult {
    const { messages } = this.draft
    const { messages: most, message_length: length } = rulesOf(context)
    return letterList<Letter>(context, {
      letters: messages,
      most,
      length,
      blank: { to: 'all', text: '', promise: null },
      note: say('messagesNote'),
      onset: (messages) => this.write({ messages }),
      beside: (letter, i, put) => this.promise(say, letter, i, put),
    })
  }

  /** Marks a message as a promise, with what is promised and for how long. */
  private promise(say: Said, { promise }: Letter, i: number, put: (change: Partial<Letter>) => void): TemplateResult {
    const set = (part: object): void => put({ promise: { kind: 'peace', amount: 0, turns: 1, ...promise, ...part } })
    return html`${segments<string>(this.now(), `promise-${i}`, {
        label: `${say('asPromise')} ${i + 1}`,
        value: promise?.kind ?? '',
        choices: [{ value: '', label: say('noPromise') }, ...(['peace', 'grant', 'cede'] as const).map((kind) => ({ value: kind, label: say(kind) }))],
        onset: (kind) => (kind ? set({ kind, amount: kind === 'peace' ? 0 : kind === 'grant' ? 10 : (this.own[0] ?? 1) }) : put({ promise: null })),
      })}
      ${promise
        ? html`<div class="c-line">
            ${promise.kind === 'peace' ? nothing : this.stepper(`${say('amount')} ${i + 1}`, promise.amount, 1, (amount) => set({ amount }))}
            <span>${say('within')}</span> ${this.stepper(`${say('within')} ${i + 1}`, promise.turns, 1, (turns) => set({ turns: Math.min(100, turns) }))}
          </div>`
        : nothing}`
  }

  private stepper(label: string, value: number, min: number, onset: (value: number) => void): TemplateResult {
    return stepper(this.now(), { label, value, min, max: MOST, onset })
  }
}

/** What the game calls a thing. */
function nameOf({ words }: ComposerContext, kind: string): string {
  const names = words.names
  const found = names && typeof names === 'object' ? (names as Record<string, unknown>)[kind] : undefined
  return typeof found === 'string' ? found : kind
}
