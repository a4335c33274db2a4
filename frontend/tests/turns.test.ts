import { expect, describe, test } from 'vitest'
import type { Refused } from '../src/people/outbox'
import { hasPlan, Turns, UNASKED, type Standing } from '../src/people/turns'
import type { Answer, Move, Turn } from '../src/people/types'
import type { Json } from '../src/types'

const turn = (step: number, more: Partial<Turn> = {}): Turn =>
  ({ step, stage: 'act', schema: {}, options: null, plan_schema: null, plan: null, ended: null, tick: false, moved: null, left_s: 30, total_s: 60, default: 'default', ...more }) as Turn
const move = (step: number, more: Partial<Move> = {}): Move => ({ id: 'm', step, stored: true, action: null, plan: null, ...more }) as Move
const refusal = (code: string, more: Partial<Refused> = {}): Refused => ({ code, message: code, facts: {}, notes: [], action: null, moved: null, ...more })
const act = (n: number): Answer => ({ action: { n } })
const NOTE = { kind: 'cut', data: {} } as unknown as Refused['notes'][number]

/** A seat whose server is played by hand. What goes out is said in a word each. */
class Hand {
  readonly out: string[] = []
  /** The last draft that was kept, as the browser keeps one alone. */
  kept: { step: number; draft: Json; isSent: boolean } | null = null
  sending: { step: number; answer: Answer; interrupts: boolean } | null = null
  shown: Standing = UNASKED
  readonly turns = new Turns({
    send: (step, answer, interrupts = false) => {
      this.sending = { step, answer, interrupts }
      this.out.push(`send ${step} ${JSON.stringify(answer)}${interrupts ? ' instead of the plan' : ''}`)
    },
    isSending: () => this.sending !== null,
    halt: () => this.out.push('halt'),
    refresh: () => this.out.push('refresh'),
    kept: (step) => (this.kept && !(this.kept.isSent && this.kept.step !== step) ? { draft: this.kept.draft, isOld: this.kept.step !== step } : null),
    keep: (step, draft, isSent = false) => void (this.kept = { step, draft, isSent }),
    changed: (standing) => (this.shown = standing),
  })

  #done() {
    const sent = this.sending
    if (!sent) throw new Error('nothing is on its way')
    this.sending = null
    return { id: 'm', ...sent }
  }
  stored(made: Partial<Move> = {}): void {
    const sent = this.#done()
    this.turns.stored(sent, move(sent.step, made))
  }
  refused(code: string, more: Partial<Refused> = {}): void {
    this.turns.refused(this.#done(), refusal(code, more))
  }
}

function hand(...told: (Turn | null)[]): Hand {
  const made = new Hand()
  for (const one of told) made.turns.told(one)
  return made
}

describe('an answer', () => {
  test('goes to the open turn, once, and what was sent is shown until the next', () => {
    const seat = hand(turn(3))
    seat.turns.write({ n: 1 })
    seat.turns.submit(act(1))
    seat.turns.submit(act(2))
    expect(seat.out).toEqual(['send 3 {"action":{"n":1}}'])
    seat.stored()
    seat.turns.submit(act(2))
    expect([seat.out.length, seat.shown.turn?.moved?.step, seat.shown.draft]).toEqual([1, 3, { n: 1 }])
    seat.turns.told(turn(4))
    expect([seat.shown.draft, seat.shown.turn?.moved]).toEqual([null, null])
  })
  test('that is stored after its turn has closed is still shown as sent', () => {
    const seat = hand(turn(3))
    seat.turns.submit(act(1))
    seat.turns.told(null)
    seat.stored()
    expect([seat.shown.turn, seat.shown.lastTurn?.moved?.step]).toEqual([null, 3])
  })
  test('is not taken back by news that was written before it was stored, nor a turn by news of an earlier one', () => {
    const seat = hand(turn(3))
    seat.turns.submit(act(1))
    seat.stored()
    seat.turns.told(turn(3))
    expect(seat.shown.turn?.moved?.step).toBe(3)
    seat.turns.told(turn(4))
    seat.turns.told(turn(3, { moved: move(3) }))
    expect([seat.shown.turn?.step, seat.shown.turn?.moved]).toEqual([4, null])
  })
  test('goes nowhere while nothing is asked', () => {
    const seat = hand(null)
    seat.turns.submit(act(1))
    expect([seat.out, seat.shown.queue, seat.turns.write({ n: 1 })]).toEqual([[], [], false])
  })
})

describe('a draft', () => {
  test('is kept under its step, and comes back with it', () => {
    const seat = hand(turn(3))
    seat.turns.write({ n: 1 })
    expect(seat.kept).toMatchObject({ step: 3, draft: { n: 1 } })
    const reloaded = new Hand()
    reloaded.kept = { step: 3, draft: { n: 1 }, isSent: false }
    reloaded.turns.told(turn(3))
    expect(reloaded.shown.draft).toEqual({ n: 1 })
  })
  test('is not taken away by news of the same turn', () => {
    const seat = hand(turn(3))
    seat.turns.write({ n: 1 })
    seat.turns.told(turn(3, { left_s: 20 }))
    expect([seat.shown.draft, seat.shown.turn?.left_s]).toEqual([{ n: 1 }, 20])
  })
  test('that was not sent leaves its words to the next turn, whenever the composer comes; one that was leaves none', () => {
    const words = (draft: Json): Json => ({ said: (draft as { said: string }).said })
    for (const isEarly of [true, false]) {
      for (const [isSent, draft] of [[false, { said: 'peace' }], [true, null]] as const) {
        const seat = hand(turn(3))
        if (isEarly) seat.turns.keepBy(words)
        seat.turns.write({ said: 'peace', n: 1 })
        if (isSent) seat.turns.send(act(1))
        seat.turns.told(turn(4))
        if (!isEarly) seat.turns.keepBy(words)
        expect([isEarly, isSent, seat.shown.draft]).toEqual([isEarly, isSent, draft])
      }
    }
  })
  test('that was refused leaves its words all the same', () => {
    const seat = hand(turn(3))
    seat.turns.keepBy((draft) => draft)
    seat.turns.write({ said: 'peace' })
    seat.turns.send(act(1))
    seat.refused('late')
    seat.turns.told(turn(4))
    expect(seat.shown.draft).toEqual({ said: 'peace' })
  })
  test('is told what a dry run of its own step said, and of no other', () => {
    const seat = hand(turn(3))
    seat.turns.tried({ step: 2, ok: false, notes: [NOTE], action: null })
    expect(seat.shown.tried).toBeNull()
    seat.turns.tried({ step: 3, ok: true, notes: [], action: null })
    expect(seat.shown.tried).toMatchObject({ ok: true })
    seat.turns.unreadable({ code: 'bad_action', message: 'no', facts: {} })
    expect(seat.shown.tried).toMatchObject({ ok: false, unread: { code: 'bad_action' } })
  })
})

describe('a turn whose time is up', () => {
  const TABLE: [string, Turn, boolean][] = [
    ['was missed where nothing was sent', turn(3), true],
    ['was not missed where something was', turn(3, { moved: move(3) }), false],
    ['was not missed where it had no deadline', turn(3, { left_s: null }), false],
    ['was not missed where the match ticks on', turn(3, { tick: true }), false],
  ]
  test.each(TABLE)('%s', (_name, first, isMissed) => {
    expect(hand(first, null, turn(4)).shown.missed !== null).toBe(isMissed)
  })
  test('is forgotten with the next answer', () => {
    const seat = hand(turn(3), turn(4))
    seat.turns.submit(act(1))
    expect(seat.shown.missed).toBeNull()
  })
})

describe('answers that wait', () => {
  test('go out one with each turn that opens, where the match ticks', () => {
    const seat = hand(turn(3, { tick: true }))
    for (const n of [1, 2, 3]) seat.turns.submit(act(n))
    seat.stored()
    expect(seat.shown.queue).toEqual([act(2), act(3)])
    seat.turns.told(turn(4, { tick: true }))
    seat.stored()
    seat.turns.told(turn(4, { tick: true, moved: move(4) }))
    seat.turns.told(turn(5, { tick: true }))
    expect(seat.out).toEqual(['send 3 {"action":{"n":1}}', 'send 4 {"action":{"n":2}}', 'send 5 {"action":{"n":3}}'])
    expect(seat.shown.queue).toEqual([])
  })
  test('are dropped by a refusal, and by a wish', () => {
    for (const drop of [(seat: Hand) => seat.refused('late'), (seat: Hand) => seat.turns.clearQueue()]) {
      const seat = hand(turn(3, { tick: true }))
      for (const n of [1, 2]) seat.turns.submit(act(n))
      drop(seat)
      expect(seat.shown.queue).toEqual([])
    }
  })
})

describe('a plan that stands', () => {
  test('is seen in what was asked, and in what was sent', () => {
    const standing = (change: Partial<Standing>): boolean => hasPlan({ ...UNASKED, ...change })
    const cases = [{}, { turn: turn(1) }, { turn: turn(1, { plan: { go: 1 } }) }, { turn: turn(1, { plan: { go: 1 }, moved: move(1) }) }, { lastTurn: turn(1, { moved: move(1, { plan: { go: 1 } }) }) }]
    expect(cases.map(standing)).toEqual([false, false, true, false, true])
  })
  test('is ended by an answer, which goes out with the next turn', () => {
    const seat = hand(turn(3, { plan: { go: 1 } }), null)
    seat.turns.submit(act(1))
    expect([seat.out, seat.shown.queue]).toEqual([['halt'], [act(1)]])
    seat.turns.told(turn(3))
    expect(seat.out).toHaveLength(1)
    seat.turns.told(turn(4))
    expect(seat.out).toEqual(['halt', 'send 4 {"action":{"n":1}}'])
  })
  test('that acted first is ended by the answer that came too late for its step', () => {
    const seat = hand(turn(3, { plan: { go: 1 } }))
    seat.turns.submit(act(1))
    seat.turns.told(turn(4, { plan: { go: 1 } }))
    seat.refused('late')
    expect(seat.out).toEqual(['send 3 {"action":{"n":1}} instead of the plan', 'halt'])
    expect(seat.shown.trouble).toBeNull()
    seat.turns.told(turn(4))
    expect(seat.out.at(-1)).toBe('send 4 {"action":{"n":1}}')
  })
})

describe('a refusal', () => {
  const TABLE: [string, Partial<Refused>, string[]][] = [
    ['late', {}, ['refresh']],
    ['ended', {}, ['refresh']],
    ['bad_action', {}, []],
    ['struck_out', { notes: [NOTE] }, []],
  ]
  test.each(TABLE)('by %s is told, and the seat asked for anew only where the page is old', (code, more, out) => {
    const seat = hand(turn(3))
    seat.turns.submit(act(1))
    seat.refused(code, more)
    expect([seat.out.slice(1), seat.shown.trouble?.code]).toEqual([out, code])
  })
  test('by another tab takes the seat away', () => {
    const seat = hand(turn(3))
    seat.turns.submit(act(1))
    seat.refused('other_tab')
    expect(seat.shown.isReplaced).toBe(true)
    seat.turns.holds(true)
    expect(seat.shown.isReplaced).toBe(false)
  })
  test('of what came too late stays readable when the next turn opens; any other goes', () => {
    for (const [code, stays] of [['late', true], ['bad_action', false]] as const) {
      const seat = hand(turn(3))
      seat.turns.submit(act(1))
      seat.refused(code)
      seat.turns.told(turn(4))
      expect(seat.shown.trouble !== null).toBe(stays)
    }
  })
  test('shows what would be struck out, and the rest goes when it is sent once more', () => {
    const seat = hand(turn(3))
    seat.turns.submit(act(1))
    seat.refused('struck_out', { notes: [NOTE], action: { n: 0 } })
    expect([seat.out.length, seat.shown.tried?.notes]).toEqual([1, [NOTE]])
    seat.turns.tried(null)
    seat.turns.submit(act(1))
    seat.refused('struck_out', { notes: [NOTE], action: { n: 0 } })
    expect(seat.out.at(-1)).toBe('send 3 {"action":{"n":0}}')
  })
  test('for what a dry run has shown already, or where the match ticks, sends the rest at once', () => {
    const shown = hand(turn(3))
    shown.turns.tried({ step: 3, ok: false, notes: [NOTE], action: null })
    const ticking = hand(turn(3, { tick: true }))
    for (const seat of [shown, ticking]) {
      seat.turns.submit(act(1))
      seat.refused('struck_out', { notes: [NOTE], action: { n: 0 } })
      expect(seat.out.at(-1)).toBe('send 3 {"action":{"n":0}}')
    }
  })
  test('because something stands already shows what that is', () => {
    const seat = hand(turn(3))
    seat.turns.submit(act(1))
    seat.refused('already_moved', { moved: move(3, { id: 'other' }) })
    expect([seat.shown.turn?.moved?.id, seat.out.at(-1)]).toEqual(['other', 'refresh'])
  })
})
