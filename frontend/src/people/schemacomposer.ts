import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { isMapping, resolved, same, type Schema } from '../jsonschema'
import { composing, defineComposer, noteText, type ComposerContext } from '../kit/composer'
import { moved, orderList } from '../kit/order'
import { segments, stepper } from '../kit/widgets'
import type { Facts, Json } from '../types'
import { word, type Key } from '../words'
import { blank, brief, choices, faults, nameOf, put, variantOf, variants, type Path } from './schemadraft'

/** Up to so many legal actions are shown as a choice of them; more are written by their parts. */
const LISTED = 12
/** Up to so many choices stand side by side. */
const SIDE_BY_SIDE = 6

/** The composer of every game that has none of its own: made from the schema of the action. */
export default defineComposer({
  sends: () => 'draft',
  action: (draft, context) => {
    const value = valueOf(draft, context)
    return faults(context.turn.schema, value, context.turn.schema).length ? undefined : value
  },
  mount: (element, first) => composing(element, first, () => ({ draw: form })),
})

function valueOf(draft: Json, { turn }: ComposerContext): Json {
  if (draft !== null) return draft
  return listed(turn.options) ? (turn.options?.[0] ?? null) : blank(turn.schema, turn.schema)
}

function listed(options: readonly Json[] | null): boolean {
  return options !== null && options.length > 0 && options.length <= LISTED
}

function form(context: ComposerContext): TemplateResult {
  const { turn } = context
  const set = (value: Json): void => context.onchange(value)
  const value = valueOf(context.draft, context)
  return html`<div class="c-form">
    ${listed(turn.options)
      ? segments({
          label: word(context.lang, 'composerAction'),
          name: 'action',
          value: turn.options?.findIndex((each) => same(each, value)),
          choices: (turn.options ?? []).map((each, i) => ({ value: i, label: labelled(each, context) })),
          disabled: context.readonly,
          onset: (i) => set(turn.options?.[i] ?? null),
        })
      : new Writer(context, set, value).draw(turn.schema, value, [], turn.schema.title ?? '')}
    ${context.dry?.notes.length ? html`<ul class="c-notes" role="status">${context.dry.notes.map((note) => html`<li class="down">▼ ${noteText(note, context)}</li>`)}</ul>` : nothing}
  </div>`
}

/** An option in the game's own words, where it has them. */
function labelled(option: Json, { words }: ComposerContext): string {
  const said = isMapping(words.actions) ? words.actions : {}
  const only = isMapping(option) ? Object.values(option) : [option]
  const [one] = only
  return only.length === 1 && typeof one === 'string' && typeof said[one] === 'string' ? `${said[one]} (${one})` : brief(option)
}

/** Draws a value by its schema, one control for each part. */
class Writer {
  constructor(
    private readonly context: ComposerContext,
    private readonly set: (value: Json) => void,
    private readonly whole: Json,
  ) {}

  draw(given: Schema, value: Json, path: Path, label: string): TemplateResult | typeof nothing {
    const { root } = this
    const schema = resolved(given, root)
    const allowed = choices(schema)
    if (allowed.length === 1) return nothing
    if (allowed.length) return this.row(schema, path, label, this.choice(allowed, value, path, label))
    const ways = variants(schema, root)
    if (ways.length) return this.union(schema, ways, value, path, label)
    switch (schema.type) {
      case 'object':
        return this.object(schema, value, path, label)
      case 'array':
        return this.list(schema, value, path, label)
      case 'integer':
        return this.row(schema, path, label, stepper({ label, value: typeof value === 'number' ? value : 0, min: schema.minimum, max: schema.maximum, disabled: this.locked, less: this.t('composerLess'), more: this.t('composerMore'), onset: (next) => this.put(path, next) }))
      case 'number':
        return this.row(schema, path, label, html`<input class="field" type="number" step="any" aria-label=${label} .value=${live(String(value))} ?disabled=${this.locked} @change=${(event: Event) => this.put(path, (event.target as HTMLInputElement).valueAsNumber)} />`)
      case 'boolean':
        return this.row(schema, path, label, html`<input type="checkbox" aria-label=${label} .checked=${live(value === true)} ?disabled=${this.locked} @change=${(event: Event) => this.put(path, (event.target as HTMLInputElement).checked)} />`)
      case 'null':
        return nothing
      default:
        return this.row(schema, path, label, this.text(schema, String(value ?? ''), path, label))
    }
  }

  private get root(): Schema {
    return this.context.turn.schema
  }
  private get locked(): boolean {
    return this.context.readonly
  }
  private t(key: Key, facts?: Facts): string {
    return word(this.context.lang, key, facts)
  }
  private put(path: Path, part: Json): void {
    this.set(put(this.whole, path, part))
  }

  private row(schema: Schema, path: Path, label: string, control: TemplateResult): TemplateResult {
    const wrong = faults(this.root, this.whole, this.root).filter((each) => each.path.join('.') === path.join('.'))
    return html`<div class="c-row" data-path=${path.join('.')}>
      ${label ? html`<span class="c-label">${label}</span>` : nothing}${control}
      ${schema.description ? html`<small class="mut">${schema.description}</small>` : nothing}
      ${wrong.map(({ refusal }) => html`<small class="down" role="alert">▼ ${this.t(refusal.key, refusal.facts)}</small>`)}
    </div>`
  }

  private choice(allowed: readonly Json[], value: Json, path: Path, label: string): TemplateResult {
    const index = allowed.findIndex((each) => same(each, value))
    const named = (each: Json): string => (each === null ? this.t('unset') : brief(each))
    if (allowed.length <= SIDE_BY_SIDE)
      return segments({ label, name: path.join('.') || 'value', value: index, choices: allowed.map((each, i) => ({ value: i, label: named(each) })), disabled: this.locked, onset: (i) => this.put(path, allowed[i] ?? null) })
    return html`<select class="field" aria-label=${label} ?disabled=${this.locked} @change=${(event: Event) => this.put(path, allowed[Number((event.target as HTMLSelectElement).value)] ?? null)}>
      ${allowed.map((each, i) => html`<option value=${i} .selected=${live(i === index)}>${named(each)}</option>`)}
    </select>`
  }

  private union(schema: Schema, ways: readonly Schema[], value: Json, path: Path, label: string): TemplateResult {
    const at = variantOf(schema, value, this.root)
    const way = ways[at] ?? {}
    const named = (each: Schema): string => (each.type === 'null' ? this.t('unset') : nameOf(each))
    const control =
      ways.length <= SIDE_BY_SIDE
        ? segments({ label: label || this.t('composerAction'), name: `${path.join('.')}-way`, value: at, choices: ways.map((each, i) => ({ value: i, label: named(each) })), disabled: this.locked, onset: (i) => this.put(path, blank(ways[i] ?? {}, this.root)) })
        : html`<select class="field" aria-label=${label || this.t('composerAction')} ?disabled=${this.locked} @change=${(event: Event) => this.put(path, blank(ways[Number((event.target as HTMLSelectElement).value)] ?? {}, this.root))}>
            ${ways.map((each, i) => html`<option value=${i} .selected=${live(i === at)}>${named(each)}</option>`)}
          </select>`
    return html`<div class="c-group"><div class="c-row">${label ? html`<span class="c-label">${label}</span>` : nothing}${control}</div>${this.draw({ ...way, title: '' }, value, path, '')}</div>`
  }

  private object(schema: Schema, value: Json, path: Path, label: string): TemplateResult {
    const held = isMapping(value) ? value : {}
    return html`<div class="c-group" role="group" aria-label=${label || nothing}>
      ${Object.entries(schema.properties ?? {}).map(([key, each]) => {
        const inner = resolved(each, this.root)
        return this.draw(each, held[key] ?? blank(each, this.root), [...path, key], inner.title ?? key)
      })}
    </div>`
  }

  private list(schema: Schema, value: Json, path: Path, label: string): TemplateResult {
    const held = Array.isArray(value) ? value : []
    const item = resolved(schema.items || {}, this.root)
    const isFixed = schema.minItems !== undefined && schema.minItems === schema.maxItems
    const one = (each: Json, i: number): TemplateResult | typeof nothing => this.draw(schema.prefixItems?.[i] ?? item, each, [...path, i], isFixed ? String(i + 1) : '')
    if (isFixed) return html`<div class="c-row"><span class="c-label">${label}</span><span class="c-inline">${held.map(one)}</span>${schema.description ? html`<small class="mut">${schema.description}</small>` : nothing}</div>`
    const isFull = schema.maxItems !== undefined && held.length >= schema.maxItems
    return html`<div class="c-group">
      <span class="c-label">${label}</span>
      ${held.length
        ? orderList({
            label,
            rows: held,
            keyOf: (_row, i) => String(i),
            nameOf: brief,
            draw: (each, i) => html`${one(each, i)}`,
            isOut: () => false,
            disabled: this.locked,
            words: { up: this.t('composerUp'), down: this.t('composerDown'), remove: this.t('composerRemove'), drag: this.t('composerDrag') },
            onmove: (from, to) => this.put(path, moved(held, from, to)),
            onremove: (i) => this.put(path, held.filter((_, j) => j !== i)),
          })
        : html`<p class="mut">${this.t('composerNone')}</p>`}
      <button type="button" class="btn" ?disabled=${this.locked || isFull} @click=${() => this.put(path, [...held, blank(item, this.root)])}>${this.t('composerAdd')}: ${item.title ?? label}</button>
    </div>`
  }

  private text(schema: Schema, value: string, path: Path, label: string): TemplateResult {
    const isLong = (schema.maxLength ?? 200) > 60
    const oninput = (event: Event): void => this.put(path, (event.target as HTMLInputElement).value)
    const count = schema.maxLength === undefined ? nothing : html`<small class="faint">${value.length} / ${schema.maxLength}</small>`
    return isLong
      ? html`<textarea class="field" rows="2" aria-label=${label} .value=${live(value)} ?disabled=${this.locked} @input=${oninput}></textarea>${count}`
      : html`<input class="field" aria-label=${label} .value=${live(value)} ?disabled=${this.locked} @input=${oninput} />${count}`
  }
}
