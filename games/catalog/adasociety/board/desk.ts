import { answerSpeaker, DraftComposer, draftRecord, html, hue, inRow, letter, nothing, readTheme, seatName, svg, type Facts, type Json, type TemplateResult } from '@polity/board'
import { isChoice, isChosen, titleOf } from './answering'
import { allows, valuesOf, waysOf } from './choosing'
import { composerSpeaker, type ComposerWord } from './composerwords'
import { signPaths } from './glyphs'
import { readWorld } from './reading'
import { plain } from './words'

/** What a step of exploration may be spent on. */
export type Part = 'walk' | 'groups' | 'talk'

/** A choice with what it leads to. */
export interface Card {
  /** By default the action in words. */
  title?: string
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
  /** What the group is asked to let its members keep, in percent. */
  keep: number
  given: number
  /** The answer that is chosen, where the page's button sends it. */
  choice: Json
}

/** What the parts of the composer share: what is written, its words, and the shapes of a choice. */
export abstract class Desk extends DraftComposer<Draft> {
  protected override read(kept: Json): Draft {
    return { part: 'walk', share: 50, opening: null, to: null, text: '', weight: 100, keep: 50, given: 50, choice: null, ...draftRecord(kept) }
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

  button(label: string, action: Facts): TemplateResult {
    const { readonly, turn } = this.now()
    const can = allows(turn, action)
    return html`<button type="button" class="btn" ?disabled=${readonly || !can} title=${can ? nothing : this.say('cannot')} @click=${() => this.act(action)}>${label}</button>`
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
    const before = (i: number): number => shares.slice(0, i).reduce((sum, [, percent]) => sum + percent, 0)
    const words = inRow(shares.map(([seat, percent]) => `${seatName(seats, seat)} ${Math.round(percent)}%`), this.now().lang)
    return html`<svg class="c-bar" width="100%" height="24" role="img" aria-label=${words}>
      ${shares.map(
        ([seat, percent], i) => svg`<rect x="${before(i)}%" width="${Math.max(0.5, percent - 0.6)}%" height="24" rx="2" fill="var(--seat-${hue(seat) + 1})" />
          ${percent >= 9 ? svg`<text x="${before(i) + percent / 2}%" y="16" text-anchor="middle" font-size="12" font-weight="600" fill="var(--on-seat-${hue(seat) + 1})">${letter(seat)} ${Math.round(percent)}</text>` : nothing}`,
      )}
    </svg>`
  }

  /** A choice with what it leads to; pressing it sends it, or chooses what the page's button sends. */
  card({ means, action, shares, on, more, ...look }: Card): TemplateResult {
    const { readonly, turn, draft, frame, seat } = this.now()
    const title = look.title ?? (action ? titleOf(composerSpeaker(this.now()), action, readWorld(frame), seat) : '')
    const what = html`${more ?? nothing} ${shares ? this.bar(shares) : nothing}
      <p>${means}</p>`
    if (action === null || !isChoice(turn)) return html`<div class="c-card ${on ? 'on' : ''}">${action === null ? html`<b>${title}</b>` : this.button(title, action)} ${what}</div>`
    const isOn = isChosen(draft, turn, action)
    return html`<label class="c-card c-choice ${isOn ? 'on' : ''}">
      <input type="radio" name="answer" .checked=${isOn} ?disabled=${readonly || !allows(turn, action)} @change=${() => this.write({ choice: action })} />
      <b>${title}</b>
      ${what}
    </label>`
  }

  /** What is written, within what the schema allows. */
  percent(way: string, part: string, written: number): number {
    const bounds = valuesOf(waysOf(this.now().turn).get(way), part).map(Number)
    return Math.min(bounds.at(-1) ?? 100, Math.max(bounds[0] ?? 0, written))
  }

  /** Less and more by ten, within the values; `shown` stands between. */
  stepper(value: number, values: readonly Json[], onset: (value: number) => void, shown = `${value}%`, words?: readonly [less: ComposerWord, more: ComposerWord]): TemplateResult {
    const { readonly } = this.now()
    const shared = answerSpeaker(this.now())
    const [fewer, further] = words ? words.map((word) => this.say(word)) : [shared('less'), shared('more')]
    const [least, most] = [Number(values[0] ?? 0), Number(values.at(-1) ?? 100)]
    const step = (by: number): TemplateResult => {
      const next = Math.min(most, Math.max(least, Math.round((value + by) / 10) * 10))
      return html`<button type="button" class="btn ico" aria-label=${by < 0 ? fewer : further} ?disabled=${readonly || next === value} @click=${() => onset(next)}>${by < 0 ? '−' : '+'}</button>`
    }
    return html`<span class="c-steps">${step(-10)}<output>${shown}</output>${step(10)}</span>`
  }
}
