import {
  actionButton,
  composing,
  defineComposer,
  DraftComposer,
  html,
  keptLetters,
  letterList,
  noteText,
  nothing,
  orderList,
  seatName,
  stepper,
  type Cell,
  type ComposerContext,
  type Letter,
  type Say,
  type TemplateResult,
} from '@polity/board'
import { composerSpeaker as speaker, type ComposerWord } from './composerwords'
import {
  actionOf,
  costOf,
  draftOf,
  fates,
  hindrance,
  KINDS,
  lastItems,
  mostOf,
  otherNotes,
  staminaOf,
  talkOf,
  type Draft,
  type Item,
  type Kind,
} from './planning'
import { NOBODY, readLand } from './reading'

const KEYS: Readonly<Record<string, Kind>> = { c: 'claim', r: 'raid', d: 'defend', m: 'mine' }
/** Signs on the board: the first letters, as on the keys. */
const SIGNS: Readonly<Record<Kind, string>> = { claim: 'C', raid: 'R', defend: 'D', mine: 'M' }

/** Click plots to claim, raid, defend and mine; order the plan; see what of it the budget allows. */
export default defineComposer({
  sends: () => 'draft',
  action: (draft) => actionOf(draftOf(draft)),
  kept: keptLetters,
  keys: Object.keys(KEYS),
  label: (draft, context) => {
    const { items } = draftOf(draft)
    const n = fates(items, context.dry).filter(({ isOut }) => !isOut).length
    return speaker(context)(n ? 'submit' : 'submitNone', { n })
  },
  marks: (draft, context) => {
    const { items } = draftOf(draft)
    const fate = fates(items, context.dry)
    return items.map(({ type, cell }, i) => ({ cell: { row: cell[0], col: cell[1] }, text: SIGNS[type], kind: fate[i]?.isOut ? ('out' as const) : ('plan' as const) }))
  },
  mount: (element, first) => composing(element, first, (now) => new Composer(now)),
})

class Composer extends DraftComposer<Draft> {
  protected override read = draftOf

  cell({ row, col }: Cell): void {
    this.write({ cell: [row, col] })
  }

  key(key: string, at: Cell | null): boolean {
    const kind = KEYS[key.toLowerCase()]
    const cell: [number, number] | null = at ? [at.row, at.col] : this.draft.cell
    if (!kind || !cell || this.now().readonly) return false
    this.add(kind, cell)
    return true
  }

  draw(context: ComposerContext): TemplateResult {
    const say = speaker(context)
    return html`${this.plot(context, say)} ${this.budget(context, say)} ${this.plan(context, say)} ${this.talk(context)}`
  }

  /** The next item of a kind on a plot, with as much stamina as is left and of use. */
  private add(kind: Kind, cell: [number, number]): void {
    const { frame, seat } = this.now()
    const { items } = this.draft
    const plot = cell[0] * readLand(frame).cols + cell[1]
    if (hindrance(kind, plot, frame, seat, items)) {
      // The plot is shown with the reason on its buttons.
      this.write({ cell })
      return
    }
    const stamina = staminaOf(frame, seat)
    const s = kind === 'mine' ? Math.max(1, Math.min(mostOf('mine', frame, stamina), stamina - costOf(items))) : 1
    this.write({ items: [...items, { type: kind, cell, s }], cell })
  }

  private plot({ frame, seat, seats, readonly }: ComposerContext, say: Say<ComposerWord>): TemplateResult {
    const { cell, items } = this.draft
    const land = readLand(frame)
    if (!cell) return html`<p class="c-hint">${say('choose')}</p>`
    const plot = cell[0] * land.cols + cell[1]
    const owner = land.owners[plot] ?? NOBODY
    const n = land.round - (land.since[plot] ?? 0) + 1
    const standing = owner === NOBODY ? say('free') : owner === seat ? say('own', { n }) : say('held', { name: seatName(seats, owner), n })
    const stamina = staminaOf(frame, seat)
    return html`<p class="c-hint" aria-live="polite">${say('chosen')} <b class="strong">(${cell[0]},${cell[1]})</b>: ${standing}${land.defended.has(plot) ? html`, ${say('wasDefended')}` : nothing}</p>
      <div class="c-actions">
        ${KINDS.map((kind) => {
          const why = hindrance(kind, plot, frame, seat, items)
          const most = mostOf(kind, frame, stamina)
          const note = why ? say(why) : most > 1 ? say('upTo', { n: most }) : say('costs', { n: 1 })
          return actionButton({ label: say(kind), note, key: SIGNS[kind], on: why === 'planned', disabled: readonly || why !== null, onpress: () => this.add(kind, cell) })
        })}
      </div>`
  }

  private budget({ frame, seat }: ComposerContext, say: Say<ComposerWord>): TemplateResult {
    const stamina = staminaOf(frame, seat)
    const spent = costOf(this.draft.items)
    // Budgets beyond what a line can hold as pips are said in numbers alone.
    const pips = stamina <= 40 ? Array.from({ length: Math.max(stamina, Math.min(spent, stamina + 10)) }, (_, i) => (i >= stamina ? 'over' : i < spent ? 'spent' : '')) : []
    return html`<div class="c-budget" role="status">
      <span>${say('stamina')}</span><span class="c-pips" aria-hidden="true">${pips.map((kind) => html`<i class=${kind}></i>`)}</span>
      <span><b class="strong">${spent}</b> / ${stamina} ${spent > stamina ? html`<span class="down">▼ ${say('over', { n: spent - stamina })}</span>` : html`<span class="mut">${say('left', { n: stamina - spent })}</span>`}</span>
    </div>`
  }

  private plan(context: ComposerContext, say: Say<ComposerWord>): TemplateResult {
    const { items } = this.draft
    const { frame, seat, readonly, dry } = context
    const fate = fates(items, dry)
    const stamina = staminaOf(frame, seat)
    const last = lastItems(frame, seat)
    const name = ({ type, cell }: Item): string => `${say(type)} (${cell[0]},${cell[1]})`
    const row = (item: Item, i: number): TemplateResult => {
      const { isOut, s, reason } = fate[i] ?? { isOut: false, s: item.s, reason: null }
      const most = mostOf(item.type, frame, stamina)
      const remark = isOut ? (reason ? noteText(reason, context) : say('overBudget')) : s !== item.s ? say('cutTo', { n: s }) : ''
      return html`<span class="c-name">${isOut ? html`<s>${name(item)}</s>` : name(item)}</span>
        <span class="c-cost">
          ${most > 1 && !isOut
            ? stepper(context, { label: `${name(item)}, ${say('stamina')}`, value: item.s, min: 1, max: most, onset: (next) => this.write({ items: items.map((each, j) => (j === i ? { ...each, s: next } : each)) }) })
            : html`<span class="mut">${say('costs', { n: item.s })}</span>`}
        </span>
        ${remark ? html`<small class="c-why down">▼ ${remark}</small>` : nothing}`
    }
    return html`<div class="c-head">
        <h3>${say('plan')}</h3>
        <span class="grow"></span>
        <button type="button" class="btn bare" ?disabled=${readonly || !last.length} @click=${() => this.write({ items: last })}>${say('again')}</button>
        <button type="button" class="btn bare" ?disabled=${readonly || !items.length} @click=${() => this.write({ items: [] })}>${say('clear')}</button>
      </div>
      ${items.length
        ? orderList(context, {
            label: say('plan'),
            rows: items,
            keyOf: ({ type, cell }) => `${type}-${cell[0]}-${cell[1]}`,
            nameOf: name,
            draw: row,
            isOut: (i) => fate[i]?.isOut ?? false,
            onset: (items) => this.write({ items }),
          })
        : html`<p class="c-hint">${say('emptyPlan')}</p>`}
      ${otherNotes(items, dry).map((note) => html`<p class="down c-note" role="status">▼ ${noteText(note, context)}</p>`)}`
  }

  private talk(context: ComposerContext): TemplateResult | typeof nothing {
    const limits = talkOf(context)
    if (!limits) return nothing
    return letterList<Letter>(context, { letters: this.draft.messages, most: limits.count, length: limits.length, blank: { to: 'all', text: '' }, onset: (messages) => this.write({ messages }) })
  }
}
