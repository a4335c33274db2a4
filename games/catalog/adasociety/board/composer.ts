import {
  composing,
  defineComposer,
  DraftComposer,
  html,
  nothing,
  seatChoice,
  seatName,
  textField,
  type Cell,
  type ComposerContext,
  type Facts,
  type Json,
  type TemplateResult,
} from '@polity/board'
import { allows, bargainOf, goalOf, planFor, under, valuesOf, waysOf } from './choosing'
import { composerSpeaker, type ComposerWord } from './composerwords'
import { readWorld, type World } from './reading'
import { plain } from './words'

const STEPS: Readonly<Record<string, string>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', '.': 'stay' }
const ARROWS = { up: '↑', left: '←', stay: '·', right: '→', down: '↓' } as const

/** What is written and not sent: a share, a message, its receiver. */
interface Draft {
  share: number
  opening: number | null
  to: number | null
  text: string
}

/** Walk by key, act on what lies underfoot, join, speak, bargain; each press is an action of its own. */
export default defineComposer({
  sends: () => 'direct',
  action: () => undefined,
  marks: (_draft, { turn, frame }) => {
    const goal = goalOf(turn.plan, readWorld(frame).cols)
    return goal ? [{ cell: goal, text: '×', kind: 'goal' }] : []
  },
  mount: (element, first) => composing(element, first, (now) => new Composer(now)),
})

class Composer extends DraftComposer<Draft> {
  /** On the board the arrows walk its cells, as everywhere. */
  key(key: string, at: Cell | null): boolean {
    const { readonly, queue, turn, onclear, onhalt } = this.now()
    if (key === 'Escape' && queue) {
      onclear()
      return true
    }
    if (key === 'Escape' && turn.plan !== null && !readonly && !at) {
      onhalt()
      return true
    }
    const direction = STEPS[key]
    if (readonly || at || !direction || !allows(turn, { do: 'move', direction })) return false
    this.act({ do: 'move', direction })
    return true
  }

  /** A click on the map goes there, or gathers there. */
  cell(cell: Cell): void {
    const { readonly, turn, frame, seat, onsubmit } = this.now()
    const plan = readonly || !turn.plan_schema ? null : planFor(readWorld(frame), seat, cell)
    if (plan) onsubmit({ plan })
  }

  draw(context: ComposerContext): TemplateResult {
    const ways = waysOf(context.turn)
    const world = readWorld(context.frame)
    return html`${this.standing(context)}
      ${ways.has('pick') || ways.has('synthesize') || valuesOf(ways.get('move'), 'direction').length > 1 ? this.physical(context, world) : nothing}
      ${ways.has('join') ? this.groups(context, world) : nothing} ${ways.has('invite') ? this.inviting(context) : nothing}
      ${ways.has('propose') ? this.bargaining(context, world) : nothing} ${ways.has('send') || ways.has('show_map') ? this.others(context, world) : nothing}`
  }

  protected override read(kept: Json): Draft {
    return { share: 50, opening: null, to: null, text: '', ...(kept !== null && typeof kept === 'object' && !Array.isArray(kept) ? kept : {}) }
  }

  private say(key: ComposerWord, facts: Facts = {}): string {
    return composerSpeaker(this.now())(key, facts)
  }

  private thing(name: string): string {
    return plain(name, this.now().lang)
  }

  private act(action: Facts): void {
    this.now().onsubmit({ action })
  }

  private button(label: string, action: Facts, className = 'btn'): TemplateResult {
    const { readonly, turn } = this.now()
    const can = allows(turn, action)
    return html`<button type="button" class=${className} ?disabled=${readonly || !can} title=${can ? nothing : this.say('cannot')} @click=${() => this.act(action)}>${label}</button>`
  }

  private standing({ turn, queue, readonly, onclear, onhalt }: ComposerContext): TemplateResult {
    const plan = turn.plan
    return html`${plan !== null && typeof plan === 'object' && !Array.isArray(plan)
        ? html`<div class="c-plan" role="status"><span>${this.say('plan')}: <b class="strong">${this.planned(plan)}</b></span><button type="button" class="btn" aria-keyshortcuts="Escape" ?disabled=${readonly} @click=${onhalt}>${this.say('stop')} <kbd aria-hidden="true">Esc</kbd></button></div>`
        : nothing}
      ${queue ? html`<div class="c-plan" role="status"><span>${this.say('waiting', { n: queue })}</span><button type="button" class="btn" @click=${onclear}>${this.say('drop')}</button></div>` : nothing}`
  }

  private planned(plan: Facts): string {
    const name = typeof plan.resource === 'string' ? this.thing(plan.resource) : ''
    switch (plan.plan) {
      case 'gather':
        return this.say('gather', { n: plan.n ?? 1, name })
      case 'craft':
        return this.say('craft', { name })
      case 'dump':
        return this.say('dump', { name })
      case 'go':
        return this.say('go', { row: plan.row ?? 0, column: plan.column ?? 0 })
      default:
        return this.say('explore')
    }
  }

  private physical({ turn, seat, readonly, onsubmit }: ComposerContext, world: World): TemplateResult {
    const here = under(world, seat)
    const bag = world.bags.get(seat) ?? []
    const piles = here?.stack ?? []
    const pile = ([name, units]: readonly [string, number]): string => `${this.thing(name)} ${units}`
    return html`<p class="c-hint">${this.say(turn.plan_schema ? 'walk' : 'walkOnly')}</p>
      <div class="c-walk">
        <div class="c-pad" role="group" aria-label=${this.say('walkOnly')}>
          ${Object.entries(ARROWS).map(([direction, sign]) => {
            const key = Object.entries(STEPS).find(([, each]) => each === direction)?.[0] ?? ''
            return html`<button type="button" class="at-${direction}" aria-label=${this.say(direction as ComposerWord)} aria-keyshortcuts=${key} ?disabled=${readonly || !allows(turn, { do: 'move', direction })} @click=${() => this.act({ do: 'move', direction })}>${sign}</button>`
          })}
        </div>
        <div class="c-here">
          <p><span class="mut">${this.say('here')}</span> ${piles.length ? piles.map(pile).join(', ') : this.say('nothingHere')}</p>
          <div class="c-buttons">
            ${piles.map(([resource]) => this.button(this.say('pick', { name: this.thing(resource) }), { do: 'pick', resource }))}
            ${here?.event !== null && here !== null ? this.button(here.event ? this.say('make', { name: this.thing(here.event) }) : this.say('makeUnknown'), { do: 'synthesize' }) : nothing}
            ${turn.plan_schema ? html`<button type="button" class="btn" ?disabled=${readonly} @click=${() => onsubmit({ plan: { plan: 'explore' } })}>${this.say('exploreNow')}</button>` : nothing}
          </div>
          <p><span class="mut">${this.say('bag')}</span> ${bag.length ? bag.map(pile).join(', ') : this.say('nothingHeld')}</p>
          <div class="c-buttons">${bag.filter(([name]) => name).map(([resource]) => this.button(this.say('put', { name: this.thing(resource) }), { do: 'dump', resource }))}</div>
        </div>
      </div>`
  }

  private groups({ turn, seat, seats }: ComposerContext, world: World): TemplateResult {
    const numbers = valuesOf(waysOf(turn).get('join'), 'group')
    return html`<h3>${this.say('groups')}</h3>
      <div class="c-buttons">
        ${numbers.map((n) => {
          const members = world.groups.find((group) => group.layer === 1 && group.number === n)?.members ?? []
          const who = members.length ? members.map(([member]) => seatName(seats, member)).join(', ') : this.say('alone')
          const isOwn = members.some(([member]) => member === seat)
          return this.button(`${this.say('join', { n })}: ${who}`, { do: 'join', group: n }, isOwn ? 'btn on' : 'btn')
        })}
      </div>`
  }

  private inviting({ turn, seats, readonly }: ComposerContext): TemplateResult {
    const way = waysOf(turn).get('invite')
    const { opening } = this.draft
    const offered = (share: Json): string => (share === null ? this.say('noOpening') : this.say('opening', { n: share }))
    return html`<h3>${this.say('bargain')}</h3>
      <label class="c-row"><span class="c-label">${this.say('firstOffer')}</span>
        <select class="field" ?disabled=${readonly} @change=${(event: Event) => {
          const value = (event.target as HTMLSelectElement).value
          this.write({ opening: value === '' ? null : Number(value) })
        }}>
          ${valuesOf(way, 'share').map((share) => html`<option value=${share === null ? '' : String(share)} .selected=${share === opening}>${offered(share)}</option>`)}
        </select></label>
      <div class="c-buttons">
        ${valuesOf(way, 'seat').map((other) => html`<button type="button" class="btn" ?disabled=${readonly} @click=${() => this.act({ do: 'invite', seat: other, share: opening })}>${this.say('ask', { name: seatName(seats, Number(other)) })}</button>`)}
      </div>`
  }

  private bargaining({ seat, seats, readonly }: ComposerContext, world: World): TemplateResult | typeof nothing {
    const bargain = bargainOf(world, seat)
    if (!bargain) return nothing
    const { share } = this.draft
    const name = seatName(seats, bargain.partner)
    return html`<div class="c-bargain">
      ${bargain.theirs === null ? nothing : html`<p class="strong">${this.say('theirs', { name, n: bargain.theirs, left: 100 - bargain.theirs })}</p>`}
      ${bargain.own === null ? nothing : html`<p class="mut">${this.say('mine', { n: bargain.own })}</p>`}
      <label><span class="c-label">${this.say('offer')}</span>
        <input type="range" min="10" max="90" step="10" .value=${String(share)} ?disabled=${readonly} aria-valuetext="${share}%" @input=${(event: Event) => this.write({ share: (event.target as HTMLInputElement).valueAsNumber })} />
        <output>${this.say('split', { own: share, other: 100 - share, name })}</output></label>
      <div class="c-buttons">
        ${this.button(this.say('propose', { n: share }), { do: 'propose', share }, 'btn pri')} ${this.button(this.say('accept'), { do: 'accept' })} ${this.button(this.say('end'), { do: 'end' })}
      </div>
    </div>`
  }

  private others({ turn, seat, seats, readonly }: ComposerContext, world: World): TemplateResult {
    const ways = waysOf(turn)
    const { to, text } = this.draft
    const chosen = to ?? seats.find((each) => each.seat !== seat)?.seat ?? 0
    const shows = world.links.some((link) => link.from === seat && link.to === chosen && link.showsMap)
    return html`<h3>${this.say('people')}</h3>
      <div class="c-message">
        ${seatChoice({ label: this.say('to'), seats, own: seat, value: chosen, disabled: readonly, onset: (seat) => this.write({ to: seat }) })}
        ${ways.has('send') ? html`${textField({ label: this.say('message'), value: text, most: ways.get('send')?.properties?.text?.maxLength ?? 200, disabled: readonly, onset: (text) => this.write({ text }) })}
          <button type="button" class="btn" ?disabled=${readonly || !text.trim()} @click=${() => this.act({ do: 'send', seat: chosen, text })}>${this.say('send')}</button>` : nothing}
        ${ways.has('show_map') ? this.button(this.say(shows ? 'hideMap' : 'showMap'), { do: 'show_map', seat: chosen }) : nothing}
      </div>`
  }
}
