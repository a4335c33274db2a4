import { DraftComposer, html, hue, inRow, letter, nothing, readTheme, seatName, svg, type ComposerContext, type Facts, type Json, type TemplateResult } from '@polity/board'
import { isChoice, isChosen } from './answering'
import { allows, valuesOf, waysOf } from './choosing'
import { composerSpeaker, type ComposerWord } from './composerwords'
import { signPaths } from './glyphs'
import { plain } from './words'

/** What a step of exploration may be spent on. */
export type Part = 'walk' | 'groups' | 'talk'

/** A choice with what it leads to. */
export interface Card {
  title: string
  means: string
  /** null: it is so now, and needs no act. */
  action: Facts | null
  shares?: readonly (readonly [seat: number, percent: number])[]
  on?: boolean
  more?: TemplateResult
}

/** What is written and not sent: a share, a message, its receiver; and which part of the choices is shown. */
export interface Draft {
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

/** What the parts of the composer share: what is written, its words, and the shapes of a choice. */
export abstract class Desk extends DraftComposer<Draft> {
  constructor(override readonly now: () => ComposerContext) {
    super(now)
  }

  override get draft(): Draft {
    return super.draft
  }

  override write(change: Partial<Draft>): void {
    super.write(change)
  }

  protected override read(kept: Json): Draft {
    return { part: 'walk', share: 50, opening: null, to: null, text: '', weight: 100, given: 50, choice: null, ...(kept !== null && typeof kept === 'object' && !Array.isArray(kept) ? kept : {}) }
  }

  say(key: ComposerWord, facts: Facts = {}): string {
    return composerSpeaker(this.now())(key, facts)
  }

  thing(name: string): string {
    return plain(name, this.now().lang)
  }

  act(action: Facts): void {
    this.now().onsubmit({ action })
  }

  /** What was said is no longer written. */
  send(seat: number, text: string): void {
    this.act({ do: 'send', seat, text })
    this.write({ text: '' })
  }

  button(label: string, action: Facts, className = 'btn'): TemplateResult {
    const { readonly, turn } = this.now()
    const can = allows(turn, action)
    return html`<button type="button" class=${className} ?disabled=${readonly || !can} title=${can ? nothing : this.say('cannot')} @click=${() => this.act(action)}>${label}</button>`
  }

  /** A thing as it is drawn on the map. */
  sign(name: string, bench = false): TemplateResult {
    const ink = (colour: string | undefined): string => (colour === undefined ? 'none' : colour.startsWith('#') ? colour : `var(--${colour})`)
    return html`<svg class="c-sign" width="18" height="18" viewBox="0 0 16 16" aria-hidden="true">
      ${signPaths(name, readTheme(), bench).map((path) => svg`<path d=${path.d} transform=${path.transform || nothing} fill=${ink(path.fill)} stroke=${ink(path.stroke)} stroke-width=${path.width ?? 1} stroke-linecap="round" />`)}
    </svg>`
  }

  /** Who gets how many of every hundred, as a bar. */
  bar(shares: readonly (readonly [seat: number, percent: number])[]): TemplateResult {
    const { seats } = this.now()
    let at = 0
    const pieces = shares.map(([seat, percent]) => {
      const x = at
      at += percent
      return { seat, percent, x }
    })
    const words = inRow(shares.map(([seat, percent]) => `${seatName(seats, seat)} ${Math.round(percent)}%`), this.now().lang)
    return html`<svg class="c-bar" width="100%" height="24" role="img" aria-label=${words}>
      ${pieces.map(
        ({ seat, percent, x }) => svg`<rect x="${x}%" width="${Math.max(0.5, percent - 0.6)}%" height="24" rx="2" fill="var(--seat-${hue(seat) + 1})" />
          ${percent >= 9 ? svg`<text x="${x + percent / 2}%" y="16" text-anchor="middle" font-size="12" font-weight="600" fill="var(--on-seat-${hue(seat) + 1})">${letter(seat)} ${Math.round(percent)}</text>` : nothing}`,
      )}
    </svg>`
  }

  /** A choice with what it leads to; pressing it sends it, or chooses what the page's button sends. */
  card(look: Card): TemplateResult {
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

  choice(look: Card, action: Facts, isOpen: boolean): TemplateResult {
    const isOn = isChosen(this.now().draft, this.now().turn, action)
    return html`<label class="c-card c-choice ${isOn ? 'on' : ''}">
      <input type="radio" name="answer" .checked=${isOn} ?disabled=${!isOpen} @change=${() => this.write({ choice: action })} />
      <b>${look.title}</b>
      ${look.more ?? nothing} ${look.shares ? this.bar(look.shares) : nothing}
      <p>${look.means}</p>
    </label>`
  }

  /** What is written, within what the schema allows. */
  percent(way: string, part: string, written: number): number {
    const bounds = valuesOf(waysOf(this.now().turn).get(way), part).map(Number)
    return Math.min(bounds.at(-1) ?? 100, Math.max(bounds[0] ?? 0, written))
  }

  /** Less and more by ten, within the values. */
  stepper(value: number, values: readonly Json[], onset: (value: number) => void): TemplateResult {
    const { readonly } = this.now()
    const [least, most] = [Number(values[0] ?? 0), Number(values.at(-1) ?? 100)]
    const step = (by: number): TemplateResult => {
      const next = Math.min(most, Math.max(least, Math.round((value + by) / 10) * 10))
      return html`<button type="button" class="btn ico" aria-label=${this.say(by < 0 ? 'fewer' : 'further')} ?disabled=${readonly || next === value} @click=${() => onset(next)}>${by < 0 ? '−' : '+'}</button>`
    }
    return html`<span class="c-steps">${step(-10)}<output>${value}%</output>${step(10)}</span>`
  }
}
