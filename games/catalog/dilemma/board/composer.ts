import { composing, defineComposer, html, nothing, number, speakerOf, type ComposerContext, type Json, type TemplateResult } from '@polity/board'
import { readMatch } from './reading'
import { called, initial } from './words'

const speaker = speakerOf({
  ifBoth: ['{cc} if the other picks {c}, {cd} if they pick {d}', '对方选 {c} 得 {cc}，对方选 {d} 得 {cd}'],
  say: ['Your message to the other, before both choose', '双方选择之前，你对对方说的话'],
  later: ['Not sent: the time for messages was over. Kept for the next one', '没有发出：留言时间已过。留到下一次'],
  send: ['Send', '发送'],
  silent: ['Say nothing', '不说话'],
  chars: ['{n} of {most} characters', '{n} / {most} 字'],
  heard: ['The other says', '对方说'],
  nothing: ['The other says nothing.', '对方没有说话。'],
})

/** As the rules have it, where the turn does not say it. */
const TEXT_MAX = 280
const MOVES = ['C', 'D'] as const

/** Two big buttons, and a text where the treatment lets the two talk first. */
export default defineComposer({
  sends: (context) => (talks(context) ? 'draft' : 'direct'),
  // Who writes nothing says nothing: the message may be empty.
  action: (draft, context) => (talks(context) ? { text: text(draft) } : undefined),
  kept: (draft) => (text(draft).trim() ? text(draft) : null),
  keys: ['c', 'd', 'x', 'y'],
  label: (draft, context) => speaker(context)(text(draft).trim() ? 'send' : 'silent'),
  mount: (element, first) =>
    composing(element, first, (now) => ({
      draw: (context) => html`${talks(context) ? nothing : choosing(context)} ${writes(context) ? letter(context) : nothing}`,
      key(key) {
        const move = MOVES.find((each) => shortcut(now(), each) === key.toUpperCase())
        if (!move || now().readonly || talks(now())) return false
        now().onsubmit({ action: { move } })
        return true
      },
    })),
})

/** The key of a move: its label's first letter, in every language the English one. */
function shortcut(context: ComposerContext, move: string): string {
  return initial(readMatch(context.frame).labels, 'en', move)
}

function talks({ turn }: ComposerContext): boolean {
  return turn.stage === 'talk'
}

function text(draft: Json): string {
  return typeof draft === 'string' ? draft : ''
}

/** Whether there is a text to be seen: the turn's message, or the words that no turn has sent yet. */
function writes(context: ComposerContext): boolean {
  return talks(context) || text(context.draft) !== ''
}

/** One text for both kinds of turn: who writes when the turn ends keeps the words, the focus and the keys. */
function letter(context: ComposerContext): TemplateResult {
  const say = speaker(context)
  const most = context.turn.schema.properties?.text?.maxLength ?? TEXT_MAX
  const written = text(context.draft)
  return html`<label class="c-talk"><span class="strong">${say(talks(context) ? 'say' : 'later')}</span>
    <textarea class="field" rows="3" maxlength=${most} .value=${written} ?readonly=${context.readonly && talks(context)} @input=${(event: Event) => context.onchange((event.target as HTMLTextAreaElement).value)}></textarea>
    <small class="faint">${say('chars', { n: written.length, most })}</small></label>`
}

function choosing(context: ComposerContext): TemplateResult {
  const say = speaker(context)
  const match = readMatch(context.frame)
  const other = match.said?.[context.seat === 0 ? 1 : 0]
  return html`${match.said ? html`<p class="c-hint">${other ? html`${say('heard')}: <q>${other}</q>` : say('nothing')}</p>` : nothing}
    <div class="c-big">
      ${MOVES.map((move) => {
        const named = (each: string): string => called(match.labels, context.lang, each)
        const facts = { cc: number(match.pays(move, 'C')), cd: number(match.pays(move, 'D')), c: named('C'), d: named('D') }
        return html`<button type="button" aria-keyshortcuts=${shortcut(context, move)} ?disabled=${context.readonly} @click=${() => context.onsubmit({ action: { move } })}>
          <b class=${match.labels === 'framed' ? 'c-word' : ''}>${named(move)}</b><small>${say('ifBoth', facts)}</small>
        </button>`
      })}
    </div>`
}
