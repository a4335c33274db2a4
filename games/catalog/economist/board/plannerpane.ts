import { html, hue, letter, nothing, paragraph, seatName, stepper, type ComposerContext, type TemplateResult } from '@polity/board'
import { composerSpeaker, type ComposerWord } from './composerwords'
import { drawChart } from './plannerchart'
import { added, bounds, changed, draftOf, edges, inForce, isChanged, outlook, removed, type Bracket, type Outlook, type PlannerDraft } from './planning'
import type { Economy } from './reading'
import { percent, short } from './words'

type Say = ReturnType<typeof composerSpeaker>
const BRACKETS_MAX = 20

/** The planner's page: a sentence on the draft, its picture, a card a bracket, and what last epoch's incomes would have paid. */
export function drawPlanner(context: ComposerContext, economy: Economy): TemplateResult {
  const say = composerSpeaker(context)
  const draft = draftOf(context.draft, economy)
  const seen = outlook(draft, economy)
  const write = (next: PlannerDraft): void => context.onchange({ brackets: next.brackets.map((pair) => [...pair]) })
  const chart = drawChart(economy, draft, seen, {
    readonly: context.readonly,
    label: say('chart'),
    rateOf: (at) => say('rateOf', { bracket: nameOf(say, draft, at) }),
    edgeOf: (at) => say('edgeOf', { bracket: nameOf(say, draft, at) }),
    onset: (at: number, bracket: Bracket) => write(changed(draft, at, bracket)),
  })
  return html`<div class="c-planner">
    <div class="c-drafting">
      <p class="c-told"><b class="strong">${drafted(say, draft, economy)}</b>${context.lang === 'zh' ? '' : ' '}${paragraph([
        ...(isChanged(draft, economy) ? [effects(say, seen)] : []),
        ...(seen.idleTop === null ? [] : [say('nobody', { n: short(seen.idleTop) })]),
        say('damping', { n: Math.round((1 - economy.damping) * 100) }),
      ], context.lang)}</p>
      ${chart}
      <p class="c-hint">${paragraph([say('chart'), bunched(say, economy)].filter(Boolean), context.lang)}</p>
      ${cards(context, economy, draft, seen, write)}
    </div>
    <div class="c-outlook">
      ${table(context, economy, seen)}
      <p class="c-hint">${paragraph([say('warning'), say('found', { n: economy.report?.catches ?? 0, of: economy.workers.length })], context.lang)}</p>
    </div>
  </div>`
}

/** More changes than these are counted. */
const TOLD = 3

/** What the draft changes, bracket by bracket. */
function drafted(say: Say, draft: PlannerDraft, economy: Economy): string {
  if (!isChanged(draft, economy)) return say('draftSame')
  const before = inForce(economy)
  if (draft.brackets.length !== before.length) return say('draftBrackets', { n: draft.brackets.length, old: before.length })
  const moves = draft.brackets.flatMap(([low, rate], i) => {
    const [begun, old] = before[i] ?? [low, rate]
    const told = rate === old ? [] : [say('draftRate', { bracket: nameOf(say, draft, i), old: `${short(old)}%`, rate: `${short(rate)}%` })]
    return begun === low ? told : [...told, say('draftStart', { old: short(begun), low: short(low) })]
  })
  return say('draftOf', { moves: moves.length > TOLD ? say('draftMany', { n: moves.length }) : moves.join(say('comma')) })
}

/** "10 to 25 coin", or "above 50 coin". */
function nameOf(say: Say, draft: PlannerDraft, at: number): string {
  const low = short(draft.brackets[at]?.[0] ?? 0)
  const above = draft.brackets[at + 1]?.[0]
  return above === undefined ? say('above', { low }) : say('bracket', { low, high: short(above) })
}

function bunched(say: Say, economy: Economy): string {
  const n = economy.report?.bunched ?? 0
  return n ? say('bunched', { n }) : ''
}

function effects(say: Say, { effect }: Outlook): string {
  return say('effects', { n: effect.rows.length, less: effect.less, more: effect.more, before: short(effect.before.revenue), after: short(effect.after.revenue) })
}

function cards(context: ComposerContext, economy: Economy, draft: PlannerDraft, seen: Outlook, write: (next: PlannerDraft) => void): TemplateResult {
  const say = composerSpeaker(context)
  const step = (label: ComposerWord, value: number, min: number, max: number, onset: (value: number) => void) =>
    stepper(context, { label: say(label), value, min, max, onset })
  return html`<div class="c-cards">
    ${draft.brackets.map(([low, rate], i) => {
      const isSame = economy.schedule[i]?.[0] === low && inForce(economy)[i]?.[1] === rate && economy.schedule.length === draft.brackets.length
      const edge = edges(draft, i)
      const { min, max } = bounds(draft, i, economy.falling)
      const old = economy.schedule[i]?.[1]
      const next = seen.next[i]?.[1] ?? rate / 100
      return html`<div class="c-row">
        <span class="c-cardhead"><span class="c-label">${nameOf(say, draft, i)}</span>
          ${draft.brackets.length > 1 && i ? html`<button type="button" class="btn bare" title=${say('remove')} aria-label="${say('remove')}: ${nameOf(say, draft, i)}" ?disabled=${context.readonly} @click=${() => write(removed(draft, i))}>×</button>` : nothing}</span>
        ${step('rate', rate, min, max, (value) => write(changed(draft, i, [low, value])))}
        <small class="mut">${isSame ? say('same') : say('now', { old: old === undefined ? '–' : percent(old), n: economy.epoch + 2, next: percent(next) })}<br />${say('within', { min, max })}</small>
        <span class="c-begins">${i ? html`<span class="mut">${say('from')}</span>${step('begins', low, edge.min, edge.max, (value) => write(changed(draft, i, [value, rate])))}` : html`<span class="mut">${say('fromNothing')}</span>`}</span>
      </div>`
    })}
    </div>
    <div class="c-buttons">
      <button type="button" class="btn" ?disabled=${context.readonly || draft.brackets.length >= BRACKETS_MAX} @click=${() => write(added(draft))}>${say('add')}</button>
      <button type="button" class="btn" ?disabled=${context.readonly || !isChanged(draft, economy)} @click=${() => write({ brackets: inForce(economy) })}>${say('back')}</button>
    </div>`
}

function table(context: ComposerContext, economy: Economy, { effect }: Outlook): TemplateResult {
  const say = composerSpeaker(context)
  const { before, after } = effect
  const n = Math.max(1, effect.rows.length)
  const totals: [ComposerWord, string, string, string][] = [
    ['revenue', before.revenue.toFixed(1), after.revenue.toFixed(1), signed(after.revenue - before.revenue, 1)],
    ...(economy.redistribution === 'lump_sum' ? [['paidBack', (before.revenue / n).toFixed(2), (after.revenue / n).toFixed(2), signed((after.revenue - before.revenue) / n, 2)] as [ComposerWord, string, string, string]] : []),
    ['giniAfter', before.gini.toFixed(3), after.gini.toFixed(3), signed(after.gini - before.gini, 3)],
    ['taken', percent(before.taken), percent(after.taken), signed(100 * (after.taken - before.taken), 1)],
  ]
  const head = (words: readonly ComposerWord[]) => html`<thead><tr>${words.map((word, i) => html`<th class=${i ? 'num' : ''}>${say(word)}</th>`)}</tr></thead>`
  return html`<h3>${say('paid', { n: (economy.report?.epoch ?? 0) + 1 })}</h3>
    <div class="c-scroll"><table class="c-paid">
      ${head(['worker', 'reported', 'paidNow', 'withDraft', 'change', 'ofIncome'])}
      <tbody>
        ${effect.rows.map((row) => html`<tr><td>${drawMark(row.seat)} ${seatName(context.seats, row.seat)}</td><td class="num">${row.reported.toFixed(1)}</td><td class="num">${row.paid.toFixed(2)}</td><td class="num"><b>${row.drafted.toFixed(2)}</b></td><td class="num">${signed(row.drafted - row.paid, 2)}</td><td class="num">${row.reported > 0 ? percent(row.drafted / row.reported) : '–'}</td></tr>`)}
      </tbody>
    </table>
    <table class="c-paid">
      ${head(['total', 'paidNow', 'withDraft', 'change'])}
      <tbody>${totals.map(([word, old, now, change]) => html`<tr><td>${say(word)}</td><td class="num">${old}</td><td class="num"><b>${now}</b></td><td class="num">${change}</td></tr>`)}</tbody>
    </table></div>`
}

/** A seat's letter on its colour, in a line of text. */
function drawMark(seat: number): TemplateResult {
  const name = `seat-${hue(seat) + 1}`
  return html`<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="2" fill="var(--${name})"></rect><text x="8" y="12" text-anchor="middle" font-size="11" font-weight="600" fill="var(--on-${name})">${letter(seat)}</text></svg>`
}

function signed(value: number, digits: number): string {
  const least = 0.5 * 10 ** -digits
  return Math.abs(value) < least ? `±${(0).toFixed(digits)}` : `${value > 0 ? '+' : '−'}${Math.abs(value).toFixed(digits)}`
}
