import { composing, defineComposer, html, nothing, number, speakerOf, type ComposerContext, type Json, type Lang, type TemplateResult } from '@polity/board'
import { readMatch } from './reading'

type Word = 'cooperate' | 'defect' | 'ifBoth' | 'say' | 'send' | 'silent' | 'chars' | 'heard' | 'nothing'

const words: Record<Lang, Record<Word, string>> = {
  en: {
    cooperate: 'Cooperate',
    defect: 'Defect',
    ifBoth: '{cc} if the other cooperates, {cd} if it defects',
    say: 'Your message to the other, before both choose',
    send: 'Send',
    silent: 'Say nothing',
    chars: '{n} of {most} characters',
    heard: 'The other says',
    nothing: 'The other says nothing.',
  },
  zh: {
    cooperate: '合作',
    defect: '背叛',
    ifBoth: '对方合作得 {cc}，对方背叛得 {cd}',
    say: '双方选择之前，你对对方说的话',
    send: '发送',
    silent: '不说话',
    chars: '{n} / {most} 字',
    heard: '对方说',
    nothing: '对方没有说话。',
  },
}
const speaker = speakerOf(words)

const MOVES = ['C', 'D'] as const

/** Two big buttons, and a text where the treatment lets the two talk first. */
export default defineComposer({
  sends: (context) => (talks(context) ? 'draft' : 'direct'),
  // Who writes nothing says nothing: the message may be empty.
  action: (draft, context) => (talks(context) ? { text: text(draft) } : undefined),
  label: (draft, context) => words[context.lang][text(draft).trim() ? 'send' : 'silent'],
  mount: (element, first) =>
    composing(element, first, (now) => ({
      draw: (context) => (talks(context) ? talking(context) : choosing(context)),
      key(key) {
        const move = MOVES.find((each) => each === key.toUpperCase())
        if (!move || now().readonly || talks(now())) return false
        now().onsubmit({ action: { move } })
        return true
      },
    })),
})

function talks({ turn }: ComposerContext): boolean {
  return turn.stage === 'talk'
}

function text(draft: Json): string {
  return typeof draft === 'string' ? draft : ''
}

function talking(context: ComposerContext): TemplateResult {
  const say = speaker(context)
  const most = context.turn.schema.properties?.text?.maxLength ?? 280
  const written = text(context.draft)
  return html`<label class="c-talk"><span class="strong">${say('say')}</span>
    <textarea class="field" rows="3" maxlength=${most} .value=${written} ?disabled=${context.readonly} @input=${(event: Event) => context.onchange((event.target as HTMLTextAreaElement).value)}></textarea>
    <small class="faint">${say('chars', { n: written.length, most })}</small></label>`
}

function choosing(context: ComposerContext): TemplateResult {
  const say = speaker(context)
  const match = readMatch(context.frame)
  const other = match.said?.[context.seat === 0 ? 1 : 0]
  return html`${match.said ? html`<p class="c-hint">${other ? html`${say('heard')}: <q>${other}</q>` : say('nothing')}</p>` : nothing}
    <div class="c-big">
      ${MOVES.map((move) => {
        const facts = { cc: number(match.pays(move, 'C')), cd: number(match.pays(move, 'D')) }
        return html`<button type="button" aria-keyshortcuts=${move} ?disabled=${context.readonly} @click=${() => context.onsubmit({ action: { move } })}>
          <b>${move}</b><span class="strong">${say(move === 'C' ? 'cooperate' : 'defect')}</span><small>${say('ifBoth', facts)}</small>
        </button>`
      })}
    </div>`
}
