import { actionButton, composing, defineComposer, directionPad, DraftComposer, draftRecord, html, isHalted, nothing, segments, standingPlan, stepper, STEPS, type Cell, type ComposerContext, type Facts, type Json, type TemplateResult } from '@polity/board'
import { composerSpeaker, type ComposerWord } from './composerwords'
import { draftOf, isChanged, taxesOf } from './planning'
import { drawPlanner } from './plannerpane'
import { ownOrders, readEconomy, WOOD, type Economy, type Worker } from './reading'
import { short } from './words'

const PLANS: Readonly<Record<string, ComposerWord>> = { gather: 'gatherPlan', build: 'buildPlan', go: 'goPlan', wait: 'waitPlan' }

/** What a worker has written and not sent. Prices in tenths of a coin, so that a finger can step them. */
interface Draft {
  good: 'wood' | 'stone'
  amount: number
  tenths: number
  shift: number
  hide: number
}

/** Workers act at once, by key and tap; the planner writes a schedule and sees what it would have taken. */
export default defineComposer({
  sends: ({ turn }) => (turn.stage === 'plan' ? 'draft' : 'direct'),
  action: (draft, { turn, frame }) => (turn.stage === 'plan' ? taxesOf(draftOf(draft, readEconomy(frame)), readEconomy(frame)) : undefined),
  keys: [...Object.keys(STEPS).map((key) => key.toLowerCase()), 'g', 'b'],
  label: (draft, context) => {
    const economy = readEconomy(context.frame)
    return composerSpeaker(context)(isChanged(draftOf(draft, economy), economy) ? 'set' : 'keep')
  },
  marks: (_draft, { turn }) => {
    const { plan, row, column } = draftRecord(turn.plan)
    return plan === 'go' ? [{ cell: { row: Number(row), col: Number(column) }, text: '×', kind: 'goal' }] : []
  },
  mount: (element, first) => composing(element, first, (now) => new Composer(now)),
})

class Composer extends DraftComposer<Draft> {
  key(key: string, at: Cell | null): boolean {
    const { readonly, turn } = this.now()
    if (turn.stage === 'plan') return false
    if (isHalted(key, at, this.now())) return true
    if (readonly || at) return false
    const direction = STEPS[key]
    if (direction) this.step(direction)
    else if (key === 'g' || key === 'G') this.act({ do: 'gather' })
    else if (key === 'b' || key === 'B') this.act({ do: 'build' })
    else return false
    return true
  }

  /** A click on the map goes there; on what can be gathered it gathers of that kind, where one stands on it already. */
  cell({ row, col }: Cell): void {
    const { readonly, turn, frame, seat } = this.now()
    if (readonly || turn.stage === 'plan' || !turn.plan_schema) return
    const { bears, cols, workers } = readEconomy(frame)
    const kind = bears[row * cols + col]
    if (workers[seat]?.cell === row * cols + col && kind) this.plan({ plan: 'gather', resource: kind === WOOD ? 'wood' : 'stone', n: 3 })
    else this.plan({ plan: 'go', row, column: col })
  }

  draw(context: ComposerContext): TemplateResult {
    const economy = readEconomy(context.frame)
    if (context.turn.stage === 'plan') return drawPlanner(context, economy)
    const own = economy.workers[context.seat]
    const [wood, stone] = economy.house_cost
    const hasGoods = own !== undefined && (own.wood ?? 0) >= wood && (own.stone ?? 0) >= stone
    const lacks = own && !hasGoods ? this.say('lacks', { wood, stone, held: short(own.wood), heldStone: short(own.stone) }) : ''
    return html`${standingPlan(context, (plan) => this.planned(plan))} ${own ? this.walking(economy, own, hasGoods) : nothing} ${context.turn.plan_schema ? this.plans(lacks) : nothing} ${this.dealing(context, economy)} ${own ? this.declaring(own) : nothing}`
  }

  protected override read(kept: Json): Draft {
    return { good: 'wood', amount: 1, tenths: 20, shift: 2, hide: 20, ...draftRecord(kept) }
  }

  private say(key: ComposerWord, facts: Facts = {}): string {
    return composerSpeaker(this.now())(key, facts)
  }

  private act(action: Facts): void {
    this.now().onsubmit({ action })
  }

  private plan(plan: Facts): void {
    this.now().onsubmit({ plan })
  }

  private button(label: string, onpress: () => void, disabled = false): TemplateResult {
    return html`<button type="button" class="btn" ?disabled=${this.now().readonly || disabled} @click=${onpress}>${label}</button>`
  }

  private step(direction: string): void {
    this.act(direction === 'stay' ? { do: 'noop' } : { do: 'move', direction })
  }

  /** A number of the draft that is written step by step. */
  private number(field: Exclude<keyof Draft, 'good'>, label: ComposerWord, max: number): TemplateResult {
    const onset = (value: number): void => this.write({ [field]: value })
    return stepper(this.now(), { label: this.say(label), value: this.draft[field], min: 1, max, onset })
  }

  private planned(plan: Facts): string {
    const name = this.say(plan.resource === 'stone' ? 'stone' : 'wood')
    const { plan: kind, n = 1, row = 0, column = 0, price = 0 } = plan
    if (kind === 'sell' || kind === 'buy') return this.say('dealPlan', { verb: this.say(kind), n, name, price })
    return this.say(PLANS[String(kind)] ?? 'oncePlan', { n, name, row, column })
  }

  private walking({ bears, stock, ownerOf, house_cost: [wood, stone] }: Economy, own: Worker, hasGoods: boolean): TemplateResult {
    const { readonly } = this.now()
    const cell = own.cell ?? -1
    const kind = bears[cell]
    const here = stock[cell] ?? 0
    const lies = kind ? `${short(here)} ${this.say(kind === WOOD ? 'wood' : 'stone')}` : this.say('nothing')
    return html`<p class="c-hint">${this.say('walk')}</p>
      <div class="c-walk">
        ${directionPad(this.now(), this.say('walk'), () => true, (direction) => this.step(direction))}
        <div class="c-here">
          <p>${this.say('accounts', { coin: short(own.coin, 1), houses: own.houses ?? 0, energy: short(own.energy), gross: short(own.gross), deferred: short(own.deferred) })}</p>
          <p><span class="mut">${this.say('here')}</span> ${lies} · <span class="mut">${this.say('bag')}</span> ${this.say('stacks', { wood: short(own.wood), stone: short(own.stone) })}</p>
          <div class="c-buttons">
            ${actionButton({ label: this.say('gather'), note: lies, disabled: readonly || !kind || here < 0.05, onpress: () => this.act({ do: 'gather' }) })}
            ${actionButton({ label: this.say('build'), note: `${wood} + ${stone}`, disabled: readonly || !hasGoods || Boolean(kind) || ownerOf.has(cell), onpress: () => this.act({ do: 'build' }) })}
          </div>
        </div>
      </div>`
  }

  private plans(lacks: string): TemplateResult {
    const { amount: n } = this.draft
    const gather = (resource: 'wood' | 'stone') => this.button(this.say('gatherPlan', { n, name: this.say(resource) }), () => this.plan({ plan: 'gather', resource, n }))
    return html`<h3>${this.say('plans')}</h3>
      <div class="c-buttons">${this.number('amount', 'amount', 99)} ${gather('wood')} ${gather('stone')}${this.button(this.say('buildPlan'), () => this.plan({ plan: 'build' }), lacks !== '')}${lacks ? html`<small class="mut">${lacks}</small>` : nothing}</div>`
  }

  private dealing({ turn, seat }: ComposerContext, economy: Economy): TemplateResult {
    const { good, amount: n, tenths } = this.draft
    const price = tenths / 10
    const deal = (verb: 'sell' | 'buy') =>
      this.button(this.say('dealPlan', { verb: this.say(verb), n, name: this.say(good), price }), () =>
        turn.plan_schema ? this.plan({ plan: verb, resource: good, n, price }) : this.act({ do: verb, resource: good, quantity: n, price }))
    return html`<h3>${this.say('market')}</h3>
      <div class="c-buttons">
        ${segments(this.now(), 'good', { label: this.say('good'), value: good, choices: (['wood', 'stone'] as const).map((value) => ({ value, label: this.say(value) })), onset: (good) => this.write({ good }) })}
        ${this.number('amount', 'amount', 99)} ${this.number('tenths', 'price', 1000)} ${deal('sell')} ${deal('buy')}
      </div>
      ${economy.order_lifetime === undefined ? nothing : this.standingOrders(economy, seat)}`
  }

  /** The own orders that stand, and a button for each good of which there are any. */
  private standingOrders({ books }: Economy, seat: number): TemplateResult | typeof nothing {
    const own = ownOrders(books, seat)
    if (!own.length) return nothing
    const goods = (['wood', 'stone'] as const).filter((good) => own.some((order) => order.good === good))
    const orders = own.map(({ good, verb, left, price }) => this.say('ownOrder', { verb: this.say(verb), n: short(left, 2), name: this.say(good), price: price.toFixed(2) }))
    return html`<p class="c-hint">${this.say('ownOrders', { orders: orders.join(this.say('comma')) })}</p>
      <div class="c-buttons">${goods.map((good) => this.button(this.say('withdraw', { name: this.say(good) }), () => this.act({ do: 'cancel', resource: good })))}</div>`
  }

  private declaring(own: Worker): TemplateResult {
    const { shift, hide } = this.draft
    return html`<h3>${this.say('taxes')}</h3>
      <p class="c-hint">${this.say('stance', { n: Math.round((own.stance ?? 0) * 100) })}</p>
      <div class="c-buttons">
        ${this.number('shift', 'shiftLabel', 9999)}${this.button(this.say('shift', { n: shift }), () => this.act({ do: 'shift', amount: shift }))}
        ${this.number('hide', 'hideLabel', 100)}${this.button(this.say('hide', { n: hide }), () => this.act({ do: 'misreport', fraction: hide / 100 }))}
      </div>`
  }
}
