import {
  composing,
  defineComposer,
  draftRecord,
  DraftComposer,
  enumerated,
  html,
  nothing,
  hue,
  letter,
  readTheme,
  seatChoice,
  seatName,
  segments,
  svg,
  textField,
  type Cell,
  type ComposerContext,
  type Facts,
  type Json,
  type TemplateResult,
} from '@polity/board'
import { chosenOf, isChoice, isChosen, offersOf, titleOf } from './answering'
import { allows, bargainOf, goalOf, isEven, lacking, planFor, under, valuesOf, waysOf, withJoined, withWeight } from './choosing'
import { composerSpeaker, type ComposerWord } from './composerwords'
import { signPaths } from './glyphs'
import { mergedShares, peopled, readWorld, type Group, type World } from './reading'
import { one, plain } from './words'

const STEPS: Readonly<Record<string, string>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', '.': 'stay' }
const ARROWS = { up: '↑', left: '←', stay: '·', right: '→', down: '↓' } as const

/** What a step of exploration may be spent on. */
type Part = 'walk' | 'groups' | 'talk'

/** So many offers are told beside the one on the table. */
const OFFERS = 4

/** A choice with what it leads to. */
interface Card {
  title: string
  means: string
  /** null: it is so now, and needs no act. */
  action: Facts | null
  shares?: readonly (readonly [seat: number, percent: number])[]
  on?: boolean
  more?: TemplateResult
}

/** What is written and not sent: a share, a message, its receiver; and which part of the choices is shown. */
interface Draft {
  part: Part
  share: number
  opening: number | null
  to: number | null
  text: string
  /** The own weight in a group, and the part of the own reward to pass on, in percent. */
  weight: number
  given: number
  /** The answer that is chosen, where the page's button sends it. */
  choice: Json
}

/** Walk by key, act on what lies underfoot, join, speak, bargain; each press is an action of its own. */
export default defineComposer({
  // What cannot be taken back is chosen first, and sent by the page's button.
  sends: ({ turn }) => (isChoice(turn) ? 'draft' : 'direct'),
  action: (draft, { turn }) => (isChoice(turn) ? chosenOf(draft, turn) : undefined),
  label: (draft, context) => {
    const chosen = chosenOf(draft, context.turn)
    const say = composerSpeaker(context)
    return chosen ? titleOf(say, chosen, readWorld(context.frame), context.seat) : say('chooseFirst')
  },
  kept: (draft) => {
    const { to, text } = draftRecord(draft)
    return typeof text === 'string' && text.trim() ? { to: to ?? null, text } : null
  },
  // Every act that there is stands here, and who must answer is not offered to stay silent.
  idles: () => true,
  keys: Object.keys(STEPS).map((key) => key.toLowerCase()),
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
    const walks = ways.has('pick') || ways.has('synthesize') || valuesOf(ways.get('move'), 'direction').length > 1
    const parts = ([['walk', walks], ['groups', ways.has('join')], ['talk', ways.has('send') || ways.has('show_map')]] as const).flatMap(([part, is]) => (is ? [part] : []))
    const part = parts.includes(this.draft.part as 'walk') ? this.draft.part : parts[0]
    return html`${this.standing(context)}
      ${parts.length > 1
        ? segments<Part>({
            label: this.say('parts'), name: 'part', value: part, disabled: false,
            choices: parts.map((each) => ({ value: each, label: this.say(each === 'walk' ? 'partWalk' : each === 'groups' ? 'groups' : 'people') })),
            onset: (chosen) => this.write({ part: chosen }),
          })
        : nothing}
      ${part === 'walk' ? this.physical(context, world) : nothing} ${part === 'groups' ? this.groups(context, world) : nothing}
      ${part === 'talk' ? this.others(context, world) : nothing} ${ways.has('invite') ? this.inviting(context, world) : nothing}
      ${world.stage === 'negotiation' ? this.bargaining(context, world) : nothing}`
  }

  protected override read(kept: Json): Draft {
    return { part: 'walk', share: 50, opening: null, to: null, text: '', weight: 100, given: 50, choice: null, ...(kept !== null && typeof kept === 'object' && !Array.isArray(kept) ? kept : {}) }
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

  /** What was said is no longer written. */
  private send(seat: number, text: string): void {
    this.act({ do: 'send', seat, text })
    this.write({ text: '' })
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

  /** A thing as it is drawn on the map. */
  private sign(name: string, bench = false): TemplateResult {
    const ink = (colour: string | undefined): string => (colour === undefined ? 'none' : colour.startsWith('#') ? colour : `var(--${colour})`)
    return html`<svg class="c-sign" width="18" height="18" viewBox="0 0 16 16" aria-hidden="true">
      ${signPaths(name, readTheme(), bench).map((path) => svg`<path d=${path.d} transform=${path.transform || nothing} fill=${ink(path.fill)} stroke=${ink(path.stroke)} stroke-width=${path.width ?? 1} stroke-linecap="round" />`)}
    </svg>`
  }

  /** Who gets how many of every hundred, as a bar. */
  private bar(shares: readonly (readonly [seat: number, percent: number])[]): TemplateResult {
    const { seats } = this.now()
    let at = 0
    const pieces = shares.map(([seat, percent]) => {
      const x = at
      at += percent
      return { seat, percent, x }
    })
    const words = shares.map(([seat, percent]) => `${seatName(seats, seat)} ${Math.round(percent)}%`).join(this.now().lang === 'zh' ? '、' : ', ')
    return html`<svg class="c-bar" width="100%" height="24" role="img" aria-label=${words}>
      ${pieces.map(
        ({ seat, percent, x }) => svg`<rect x="${x}%" width="${Math.max(0.5, percent - 0.6)}%" height="24" rx="2" fill="var(--seat-${hue(seat) + 1})" />
          ${percent >= 9 ? svg`<text x="${x + percent / 2}%" y="16" text-anchor="middle" font-size="12" font-weight="600" fill="var(--on-seat-${hue(seat) + 1})">${letter(seat)} ${Math.round(percent)}</text>` : nothing}`,
      )}
    </svg>`
  }

  /** A choice with what it leads to; pressing it sends it, or chooses what the page's button sends. */
  private card(look: Card): TemplateResult {
    const { readonly, turn } = this.now()
    const { action } = look
    const can = action !== null && allows(turn, action)
    if (action !== null && isChoice(turn)) return this.choice(look, action, can && !readonly)
    return html`<div class="c-card ${look.on ? 'on' : ''}">
      ${action === null
        ? html`<b>${look.title}</b>`
        : html`<button type="button" class="btn" ?disabled=${readonly || !can} title=${can ? nothing : this.say('cannot')} @click=${() => this.act(action)}>${look.title}</button>`}
      ${look.more ?? nothing} ${look.shares ? this.bar(look.shares) : nothing}
      <p>${look.means}</p>
    </div>`
  }

  private choice(look: Card, action: Facts, isOpen: boolean): TemplateResult {
    const isOn = isChosen(this.now().draft, this.now().turn, action)
    return html`<label class="c-card c-choice ${isOn ? 'on' : ''}">
      <input type="radio" name="answer" .checked=${isOn} ?disabled=${!isOpen} @change=${() => this.write({ choice: action })} />
      <b>${look.title}</b>
      ${look.more ?? nothing} ${look.shares ? this.bar(look.shares) : nothing}
      <p>${look.means}</p>
    </label>`
  }

  private physical({ turn, seat, readonly, onsubmit }: ComposerContext, world: World): TemplateResult {
    const here = under(world, seat)
    const bag = (world.bags.get(seat) ?? []).filter(([name]) => name)
    const piles = here?.stack ?? []
    return html`<div class="c-walk">
        <div class="c-pad" role="group" aria-label=${this.say('walkOnly')}>
          ${Object.entries(ARROWS).map(([direction, sign]) => {
            const key = Object.entries(STEPS).find(([, each]) => each === direction)?.[0] ?? ''
            return html`<button type="button" class="at-${direction}" aria-label=${this.say(direction as ComposerWord)} aria-keyshortcuts=${key} ?disabled=${readonly || !allows(turn, { do: 'move', direction })} @click=${() => this.act({ do: 'move', direction })}>${sign}</button>`
          })}
        </div>
        <div class="c-here">
          ${piles.map(([resource, units]) => html`<div class="c-do">${this.sign(resource)}${this.button(this.say('pick', { name: this.thing(resource) }), { do: 'pick', resource })}<small>${this.whyNotPick(world, seat, resource, units)}</small></div>`)}
          ${here !== null && here.event !== null ? this.making(world, seat, here.event) : nothing}
          ${piles.length || (here !== null && here.event !== null) ? nothing : html`<p class="mut">${this.say('nothingHere')}</p>`}
          ${turn.plan_schema ? html`<div class="c-buttons"><button type="button" class="btn" ?disabled=${readonly} @click=${() => onsubmit({ plan: { plan: 'explore' } })}>${this.say('exploreNow')}</button></div>` : nothing}
        </div>
      </div>
      <p class="c-bag"><span class="mut">${this.say('bag')}</span> ${bag.length ? bag.map(([name, units]) => html`<span class="c-held">${this.sign(name)} ${units} ${this.thing(name)}</span>`) : this.say('nothingHeld')}</p>
      ${bag.length ? html`<div class="c-buttons">${bag.map(([resource]) => this.button(this.say('put', { name: this.thing(resource) }), { do: 'dump', resource }))}</div>` : nothing}
      <p class="c-hint">${this.say(turn.plan_schema ? 'walk' : 'walkOnly')}</p>`
  }

  private whyNotPick(world: World, seat: number, resource: string, units: number): string {
    const { turn } = this.now()
    const held = world.bags.get(seat)?.find(([name]) => name === resource)?.[1] ?? 0
    const full = held >= (world.resources.find(({ name }) => name === resource)?.capacity ?? Infinity)
    return full && turn.options && !allows(turn, { do: 'pick', resource }) ? this.say('bagFull', { n: held }) : this.say('liesHere', { n: units })
  }

  /** What this place makes, of what; and what is missing for it. */
  private making(world: World, seat: number, event: string): TemplateResult {
    const recipe = world.recipes.find(({ name }) => name === event)
    const amounts = (stack: readonly (readonly [string, number])[]): string => stack.map(([name, units]) => this.say('liesOf', { n: units, name: this.thing(name) })).join(this.now().lang === 'zh' ? '、' : ', ')
    const missing = recipe ? lacking(world, seat, recipe) : []
    const output = recipe?.outputs[0]?.[0] ?? event
    const note = !recipe ? '' : missing.length ? this.say('missing', { things: amounts(recipe.inputs), short: amounts(missing) }) : this.say('takes', { things: amounts(recipe.inputs) })
    return html`<div class="c-do">${this.sign(event, true)}${this.button(event ? this.say('make', { name: one(output, this.now().lang) }) : this.say('makeUnknown'), { do: 'synthesize' })}<small>${note}</small></div>`
  }

  private groups({ turn, seat, seats }: ComposerContext, world: World): TemplateResult {
    const numbers = valuesOf(waysOf(turn).get('join'), 'group').map(Number)
    const own = peopled(world).find(({ members }) => members.some(([member]) => member === seat))
    const empty = numbers.find((n) => !peopled(world).some(({ number }) => number === n))
    const passes = allows(turn, { do: 'move', direction: 'stay' })
    const names = (members: readonly number[]): string => enumerated(members.map((member) => seatName(seats, member)), this.now().lang)
    return html`<p class="c-hint">${this.say(passes ? 'groupsMean' : 'groupsMeanTurn')}</p>
      ${own
        ? this.card({
            title: this.say('stayIn', { n: own.number }), on: true, action: passes ? null : { do: 'join', group: own.number },
            shares: own.members.map(([member, share]) => [member, share * 100]),
            means: own.members.length > 1 ? this.say('stayMeans', { others: names(own.members.map(([member]) => member).filter((member) => member !== seat)) }) : this.say('ownMeans'),
          })
        : html`<p class="mut">${this.say('ownNone')}</p>`}
      ${own && waysOf(turn).has('leave') ? this.card({ title: this.say('leaveGroups'), action: { do: 'leave' }, means: this.say('leaveMeans') }) : nothing}
      ${own && waysOf(turn).has('weigh') ? this.weighing(own, seat) : nothing}
      ${peopled(world)
        .filter((group) => group !== own && numbers.includes(group.number))
        .map((group) =>
          this.card({
            title: this.say('joinGroup', { n: group.number }), action: { do: 'join', group: group.number },
            shares: withJoined(group, seat),
            means: `${this.say(isEven(withJoined(group, seat)) ? 'joinMeans' : 'joinUneven', { others: names(group.members.map(([member]) => member)), n: group.members.length + 1 })} ${own ? this.say('leavesOwn') : ''}`,
          }),
        )}
      ${empty === undefined || (own && own.members.length === 1) ? nothing : this.card({ title: this.say(own ? 'openLeave' : 'openGroup', { n: empty }), action: { do: 'join', group: empty }, means: this.say('openMeans') })}`
  }

  /** The own weight in a group, and what shares it would lead to. */
  private weighing(own: Group, seat: number): TemplateResult {
    const weight = this.percent('weigh', 'weight', this.draft.weight)
    return this.card({
      title: this.say('weigh', { n: weight }), action: { do: 'weigh', group: own.number, weight },
      shares: withWeight(own, seat, weight / 100),
      more: this.stepper(weight, valuesOf(waysOf(this.now().turn).get('weigh'), 'weight'), (weight) => this.write({ weight, ...(isChoice(this.now().turn) ? { choice: { do: 'weigh', group: own.number, weight } } : {}) })),
      means: this.say('weighMeans'),
    })
  }

  /** What is written, within what the schema allows. */
  private percent(way: string, part: string, written: number): number {
    const bounds = valuesOf(waysOf(this.now().turn).get(way), part).map(Number)
    return Math.min(bounds.at(-1) ?? 100, Math.max(bounds[0] ?? 0, written))
  }

  /** Less and more by ten, within the values. */
  private stepper(value: number, values: readonly Json[], onset: (value: number) => void): TemplateResult {
    const { readonly } = this.now()
    const [least, most] = [Number(values[0] ?? 0), Number(values.at(-1) ?? 100)]
    const step = (by: number): TemplateResult => {
      const next = Math.min(most, Math.max(least, Math.round((value + by) / 10) * 10))
      return html`<button type="button" class="btn ico" aria-label=${this.say(by < 0 ? 'fewer' : 'further')} ?disabled=${readonly || next === value} @click=${() => onset(next)}>${by < 0 ? '−' : '+'}</button>`
    }
    return html`<span class="c-steps">${step(-10)}<output>${value}%</output>${step(10)}</span>`
  }

  private inviting({ turn, seats, readonly }: ComposerContext, world: World): TemplateResult {
    const way = waysOf(turn).get('invite')
    const { opening } = this.draft
    const offered = (share: Json): string => (share === null ? this.say('noOpening') : this.say('opening', { n: share }))
    const groupOf = (seat: number): string => {
      const group = peopled(world).find(({ members }) => members.some(([member]) => member === seat))
      return group ? this.say('ofGroup', { n: group.number, size: group.members.length }) : this.say('isAlone')
    }
    return html`<p class="c-hint">${this.say('askMeans')}</p>
      <label class="c-row"><span class="c-label">${this.say('firstOffer')}</span>
        <select class="field" ?disabled=${readonly} @change=${(event: Event) => {
          const value = (event.target as HTMLSelectElement).value
          this.write({ opening: value === '' ? null : Number(value) })
        }}>
          ${valuesOf(way, 'share').map((share) => html`<option value=${share === null ? '' : String(share)} .selected=${share === opening}>${offered(share)}</option>`)}
        </select></label>
      <div class="c-buttons">
        ${valuesOf(way, 'seat').map((other) => html`<button type="button" class="btn" ?disabled=${readonly} @click=${() => this.act({ do: 'invite', seat: other, share: opening })}>${this.say('ask', { name: seatName(seats, Number(other)) })} <small>· ${groupOf(Number(other))}</small></button>`)}
        ${this.button(this.say('askNobody'), { do: 'move', direction: 'stay' })}
      </div>`
  }

  private bargaining({ turn, seat, seats, readonly, frame, at }: ComposerContext, world: World): TemplateResult | typeof nothing {
    const bargain = bargainOf(world, seat)
    if (!bargain) return nothing
    const name = seatName(seats, bargain.partner)
    const until = this.say('until', { n: world.socialSteps })
    if (!waysOf(turn).has('propose')) {
      return html`<p class="strong">${bargain.own === null ? this.say('theyBegin', { name }) : this.say('theyAnswer', { name, n: bargain.own, left: 100 - bargain.own })}</p><p class="c-hint">${until}</p>`
    }
    const share = Math.min(90, Math.max(10, Math.round(this.draft.share / 10) * 10))
    const table = { decides: seat, waits: bargain.partner, before: bargain.own }
    const step = (by: number): TemplateResult => html`<button type="button" class="btn ico" aria-label=${this.say(by < 0 ? 'less' : 'moreShare')} ?disabled=${readonly || share + by < 10 || share + by > 90} @click=${() => this.write({ share: share + by, choice: { do: 'propose', share: share + by } })}>${by < 0 ? '−' : '+'}</button>`
    const offers = offersOf(frame, seat, at, OFFERS)
    return html`<p class="strong">${bargain.theirs === null ? this.say('youBegin', { name }) : this.say('theirs', { name, n: bargain.theirs, left: 100 - bargain.theirs })}</p>
      <p class="c-hint">${this.say('countsFor')} ${until}</p>
      ${offers.length > 1
        ? html`<ol class="c-offers">${offers.map(({ step: n, by, share: asked }) => html`<li><span class="mut">${this.say('atStep', { n })}</span><span>${by === seat ? this.say('youAsked', { n: asked }) : this.say('theyAsked', { name, n: asked })}</span><b>${this.say('forYou', { n: by === seat ? asked : 100 - asked })}</b></li>`)}</ol>`
        : nothing}
      <div class="c-bargain">
        ${bargain.theirs === null ? nothing : this.card({ title: this.say('accept', { n: 100 - bargain.theirs }), action: { do: 'accept' }, shares: mergedShares(world, { ...table, asked: bargain.theirs }), means: this.say('acceptMeans') })}
        ${this.card({
          title: this.say('propose', { n: share }), action: { do: 'propose', share },
          shares: mergedShares(world, { ...table, asked: 100 - share }),
          more: html`<span class="c-steps">${step(-10)}<output>${this.say('split', { own: share, other: 100 - share, name })}</output>${step(10)}</span>`,
          means: this.say('proposeMeans', { name }),
        })}
        ${bargain.theirs === null && bargain.own === null ? nothing : this.card({ title: this.say('end'), action: { do: 'end' }, means: this.say('endMeans') })}
      </div>`
  }

  /** A part of the own reward for somebody, from now on. */
  private passing(world: World, seat: number, to: number): TemplateResult {
    const given = this.percent('pass_on', 'share', this.draft.given)
    const name = seatName(this.now().seats, to)
    const now = Math.round((world.links.find((link) => link.from === seat && link.to === to)?.reward ?? 0) * 100)
    return this.card({
      title: this.say(given ? 'passOn' : 'passNothing', { n: given, name }), action: { do: 'pass_on', seat: to, share: given }, on: now > 0,
      more: this.stepper(given, valuesOf(waysOf(this.now().turn).get('pass_on'), 'share'), (given) => this.write({ given })),
      means: `${this.say('passMeans')} ${now > 0 ? this.say('passesNow', { n: now, name }) : ''}`,
    })
  }

  private others({ turn, seat, seats, readonly }: ComposerContext, world: World): TemplateResult {
    const ways = waysOf(turn)
    const { to, text } = this.draft
    const chosen = to ?? seats.find((each) => each.seat !== seat)?.seat ?? 0
    const shows = world.links.some((link) => link.from === seat && link.to === chosen && link.showsMap)
    const heard = world.messages.filter((message) => message.to === seat && message.from !== seat && message.text)
    return html`${heard.map((message) => html`<p><b class="strong">${seatName(seats, message.from)}</b> “${message.text}”</p>`)}
      <div class="c-message">
        ${seatChoice({ label: this.say('to'), seats, own: seat, value: chosen, disabled: readonly, onset: (seat) => this.write({ to: seat }) })}
        ${ways.has('send') ? html`${textField({ label: this.say('message'), value: text, most: ways.get('send')?.properties?.text?.maxLength ?? 200, disabled: readonly, onset: (text) => this.write({ text }) })}
          <button type="button" class="btn" ?disabled=${readonly || !text.trim()} @click=${() => this.send(chosen, text)}>${this.say('send')}</button>` : nothing}
        ${ways.has('pass_on') ? this.passing(world, seat, chosen) : nothing}
        ${ways.has('show_map') ? this.button(this.say(shows ? 'hideMap' : 'showMap'), { do: 'show_map', seat: chosen }) : nothing}
      </div>`
  }
}
