import {
  actionButton,
  composing,
  defineComposer,
  DraftComposer,
  html,
  nothing,
  segments,
  stepper,
  type Cell,
  type ComposerContext,
  type Facts,
  type Json,
  type TemplateResult,
} from '@polity/board'
import { composerSpeaker, type ComposerWord } from './composerwords'
import { draftOf, isChanged, taxesOf } from './planning'
import { drawPlanner } from './plannerpane'
import { readEconomy, STONE, WOOD, type Economy, type Worker } from './reading'
import { short } from './words'

const STEPS: Readonly<Record<string, string>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }
const ARROWS = { up: '↑', left: '←', right: '→', down: '↓' } as const

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
  idles: () => true,
  keys: [...Object.keys(STEPS).map((key) => key.toLowerCase()), 'g', 'b'],
  label: (draft, context) => {
    const economy = readEconomy(context.frame)
    return composerSpeaker(context)(isChanged(draftOf(draft, economy), economy) ? 'set' : 'keep')
  },
  marks: (_draft, { turn }) => {
    const plan = turn.plan
    if (plan === null || typeof plan !== 'object' || Array.isArray(plan) || plan.plan !== 'go') return []
    return [{ cell: { row: Number(plan.row), col: Number(plan.column) }, text: '×', kind: 'goal' }]
  },
  mount: (element, first) => composing(element, first, (now) => new Composer(now)),
})

class Composer extends DraftComposer<Draft> {
  key(key: string, at: Cell | null): boolean {
    const { readonly, queue, turn, onclear, onhalt } = this.now()
    if (turn.stage === 'plan') return false
    if (key === 'Escape' && queue) {
      onclear()
      return true
    }
    if (key === 'Escape' && turn.plan !== null && !readonly && !at) {
      onhalt()
      return true
    }
    if (readonly || at) return false
    const direction = STEPS[key]
    if (direction) this.act({ do: 'move', direction })
    else if (key === 'g' || key === 'G') this.act({ do: 'gather' })
    else if (key === 'b' || key === 'B') this.act({ do: 'build' })
    else return false
    return true
  }

  /** A click on the map goes there; on what can be gathered it gathers of that kind, where one stands on it already. */
  cell(cell: Cell): void {
    const { readonly, turn, frame, seat, onsubmit } = this.now()
    if (readonly || turn.stage === 'plan' || !turn.plan_schema) return
    const economy = readEconomy(frame)
    const number = cell.row * economy.cols + cell.col
    const kind = economy.bears[number]
    if (economy.workers[seat]?.cell === number && kind) onsubmit({ plan: { plan: 'gather', resource: kind === WOOD ? 'wood' : 'stone', n: 3 } })
    else onsubmit({ plan: { plan: 'go', row: cell.row, column: cell.col } })
  }

  draw(context: ComposerContext): TemplateResult {
    const economy = readEconomy(context.frame)
    if (context.turn.stage === 'plan') return drawPlanner(context, economy)
    const own = economy.workers[context.seat]
    return html`${this.standing(context)} ${own ? this.walking(context, economy, own) : nothing} ${context.turn.plan_schema ? this.plans(context, own ? this.lacking(economy, own) : '') : nothing} ${this.dealing(context)} ${own ? this.declaring(context, own) : nothing}`
  }

  protected override read(kept: Json): Draft {
    return { good: 'wood', amount: 1, tenths: 20, shift: 2, hide: 20, ...(kept !== null && typeof kept === 'object' && !Array.isArray(kept) ? kept : {}) }
  }

  private say(key: ComposerWord, facts: Facts = {}): string {
    return composerSpeaker(this.now())(key, facts)
  }

  private act(action: Facts): void {
    this.now().onsubmit({ action })
  }

  private standing({ turn, queue, readonly, onclear, onhalt }: ComposerContext): TemplateResult {
    const plan = turn.plan
    return html`${plan !== null && typeof plan === 'object' && !Array.isArray(plan)
        ? html`<div class="c-plan" role="status"><span>${this.say('plan')}: <b class="strong">${this.planned(plan)}</b></span><button type="button" class="btn" aria-keyshortcuts="Escape" ?disabled=${readonly} @click=${onhalt}>${this.say('stop')} <kbd aria-hidden="true">Esc</kbd></button></div>`
        : nothing}
      ${queue ? html`<div class="c-plan" role="status"><span>${this.say('waiting', { n: queue })}</span><button type="button" class="btn" @click=${onclear}>${this.say('drop')}</button></div>` : nothing}`
  }

  private planned(plan: Facts): string {
    const name = plan.resource === 'stone' ? this.say('stone') : this.say('wood')
    switch (plan.plan) {
      case 'gather':
        return this.say('gatherPlan', { n: plan.n ?? 1, name })
      case 'build':
        return this.say('buildPlan')
      case 'go':
        return this.say('goPlan', { row: plan.row ?? 0, column: plan.column ?? 0 })
      case 'sell':
      case 'buy':
        return this.say('dealPlan', { verb: this.say(plan.plan), n: plan.n ?? 1, name, price: plan.price ?? 0 })
      case 'wait':
        return this.say('waitPlan')
      default:
        return this.say('oncePlan')
    }
  }

  private walking({ readonly }: ComposerContext, economy: Economy, own: Worker): TemplateResult {
    const cell = own.cell ?? -1
    const kind = economy.bears[cell]
    const stock = economy.stock[cell] ?? 0
    const lies = kind === WOOD || kind === STONE ? `${short(stock)} ${this.say(kind === WOOD ? 'wood' : 'stone')}` : this.say('nothing')
    const [wood, stone] = economy.house_cost
    const canBuild = (own.wood ?? 0) >= wood && (own.stone ?? 0) >= stone && !kind && !economy.ownerOf.has(cell)
    return html`<p class="c-hint">${this.say('walk')}</p>
      <div class="c-walk">
        <div class="c-pad" role="group" aria-label=${this.say('walk')}>
          ${Object.entries(ARROWS).map(([direction, sign]) => html`<button type="button" class="at-${direction}" aria-label=${this.say(direction as ComposerWord)} ?disabled=${readonly} @click=${() => this.act({ do: 'move', direction })}>${sign}</button>`)}
          <button type="button" class="at-stay" aria-label=${this.say('noop')} ?disabled=${readonly} @click=${() => this.act({ do: 'noop' })}>·</button>
        </div>
        <div class="c-here">
          <p>${this.say('accounts', { coin: short(own.coin, 1), houses: own.houses ?? 0, energy: short(own.energy), gross: short(own.gross), deferred: short(own.deferred) })}</p>
          <p><span class="mut">${this.say('here')}</span> ${lies} · <span class="mut">${this.say('bag')}</span> ${this.say('stacks', { wood: short(own.wood), stone: short(own.stone) })}</p>
          <div class="c-buttons">
            ${actionButton({ label: this.say('gather'), note: lies, disabled: readonly || !kind || stock < 0.05, onpress: () => this.act({ do: 'gather' }) })}
            ${actionButton({ label: this.say('build'), note: `${wood} + ${stone}`, disabled: readonly || !canBuild, onpress: () => this.act({ do: 'build' }) })}
          </div>
        </div>
      </div>`
  }

  private plans({ readonly, onsubmit }: ComposerContext, lacks: string): TemplateResult {
    const { amount } = this.draft
    const gather = (resource: 'wood' | 'stone') =>
      html`<button type="button" class="btn" ?disabled=${readonly} @click=${() => onsubmit({ plan: { plan: 'gather', resource, n: amount } })}>${this.say('gatherPlan', { n: amount, name: this.say(resource) })}</button>`
    return html`<h3>${this.say('plans')}</h3>
      <div class="c-buttons">${this.amount(readonly)} ${gather('wood')} ${gather('stone')}<button type="button" class="btn" ?disabled=${readonly || lacks !== ''} @click=${() => onsubmit({ plan: { plan: 'build' } })}>${this.say('buildPlan')}</button>${lacks ? html`<small class="mut">${lacks}</small>` : nothing}</div>`
  }

  /** What the next house lacks; '' where nothing. */
  private lacking(economy: Economy, own: Worker): string {
    const [wood, stone] = economy.house_cost
    const has = { held: short(own.wood), heldStone: short(own.stone) }
    return (own.wood ?? 0) >= wood && (own.stone ?? 0) >= stone ? '' : this.say('lacks', { wood, stone, ...has })
  }

  private amount(readonly: boolean): TemplateResult {
    return stepper({ label: this.say('amount'), value: this.draft.amount, min: 1, max: 99, disabled: readonly, less: this.say('less'), more: this.say('more'), onset: (amount) => this.write({ amount }) })
  }

  private dealing({ readonly, turn, onsubmit }: ComposerContext): TemplateResult {
    const { good, amount, tenths } = this.draft
    const price = tenths / 10
    const deal = (verb: 'sell' | 'buy') => (): void =>
      turn.plan_schema ? onsubmit({ plan: { plan: verb, resource: good, n: amount, price } }) : this.act({ do: verb, resource: good, quantity: amount, price })
    const button = (verb: 'sell' | 'buy') =>
      html`<button type="button" class="btn" ?disabled=${readonly} @click=${deal(verb)}>${this.say('dealPlan', { verb: this.say(verb), n: amount, name: this.say(good), price })}</button>`
    return html`<h3>${this.say('market')}</h3>
      <div class="c-buttons">
        ${segments({ label: this.say('good'), name: 'good', value: good, choices: (['wood', 'stone'] as const).map((value) => ({ value, label: this.say(value) })), disabled: readonly, onset: (good) => this.write({ good }) })}
        ${this.amount(readonly)}
        ${stepper({ label: this.say('price'), value: tenths, min: 1, max: 1000, disabled: readonly, less: this.say('less'), more: this.say('more'), onset: (tenths) => this.write({ tenths }) })}
        ${button('sell')} ${button('buy')}
      </div>`
  }

  private declaring({ readonly }: ComposerContext, own: Worker): TemplateResult {
    const { shift, hide } = this.draft
    const step = (label: ComposerWord, value: number, max: number, onset: (value: number) => void) =>
      stepper({ label: this.say(label), value, min: 1, max, disabled: readonly, less: this.say('less'), more: this.say('more'), onset })
    return html`<h3>${this.say('taxes')}</h3>
      <p class="c-hint">${this.say('stance', { n: Math.round((own.stance ?? 0) * 100) })}</p>
      <div class="c-buttons">
        ${step('shiftLabel', shift, 9999, (shift) => this.write({ shift }))}<button type="button" class="btn" ?disabled=${readonly} @click=${() => this.act({ do: 'shift', amount: shift })}>${this.say('shift', { n: shift })}</button>
        ${step('hideLabel', hide, 100, (hide) => this.write({ hide }))}<button type="button" class="btn" ?disabled=${readonly} @click=${() => this.act({ do: 'misreport', fraction: hide / 100 })}>${this.say('hide', { n: hide })}</button>
      </div>`
  }
}
