import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clockFace, countdown, markPassed, secondsLeft, shareGone } from '../src/people/clock'
import { draftRead, draftWrite } from '../src/people/drafts'
import { KeyGuard } from '../src/people/keyguard'
import { noticeLines } from '../src/people/notices'
import { Outbox, Refusal, RESEND_MS, type OutboxWiring, type Refused, type Sent } from '../src/people/outbox'
import { lasting, refusalIn } from '../src/people/phrases'
import { nextOf, queued, QUEUE_MAX } from '../src/people/queue'
import { tabFree, tabName } from '../src/people/tab'
import { readTerms, termTexts, USUAL_TERMS, type Terms } from '../src/people/terms'
import type { Answer, Move, Turn } from '../src/people/types'
import { sentOf, stateOf } from '../src/people/waiting'
import { Watchful } from '../src/people/watchful'
import type { RunMeta } from '../src/types'
import { word } from '../src/words'
import { refusal as worded } from '../src/words/refusals'

function shelf(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage
}
const refusing = { getItem: () => { throw new Error('no') }, setItem: () => { throw new Error('no') }, removeItem: () => { throw new Error('no') } }

describe('the clock of a turn', () => {
  test('counts from what the server said, and never below nothing', () => {
    const count = countdown({ left_s: 12, total_s: 60 }, 1_000)
    expect(secondsLeft(count, 1_000)).toBe(12)
    expect(secondsLeft(count, 5_000)).toBe(8)
    expect(secondsLeft(count, 99_000)).toBe(0)
    expect(shareGone(count, 1_000)).toBeCloseTo(0.8)
  })
  test('stands where there is no deadline', () => {
    expect(secondsLeft(countdown({ left_s: null, total_s: null }, 0), 9)).toBeNull()
    expect(secondsLeft(countdown(null, 0), 9)).toBeNull()
  })
  test('is written in minutes, and in hours where there are any; a started second is a whole one', () => {
    expect([22, 21.2, 65, 3600, 0].map(clockFace)).toEqual(['0:22', '0:22', '1:05', '1:00:00', '0:00'])
  })
  test('is spoken when it passes 30, 10 and 5 seconds, once each', () => {
    const spoken: number[] = []
    for (let left = 40; left > 0; left -= 0.2) {
      const mark = markPassed(left + 0.2, left)
      if (mark !== null) spoken.push(mark)
    }
    expect(spoken).toEqual([30, 10, 5])
  })
  test('says after sleep only what is true now, and nothing once it is over', () => {
    expect(markPassed(40, 4)).toBe(5)
    expect(markPassed(40, 0)).toBeNull()
    expect(markPassed(8, 7)).toBeNull()
  })
})

describe('a draft', () => {
  test('comes back for its seat and step, and for no other', () => {
    const kept = shelf()
    draftWrite(kept, 'run', 3, 7, { items: [1] })
    expect(draftRead(kept, 'run', 3, 7)).toEqual({ draft: { items: [1] }, isOld: false })
    expect(draftRead(kept, 'run', 4, 7)).toBeNull()
    draftWrite(kept, 'run', 3, 7, null)
    expect(draftRead(kept, 'run', 3, 7)).toBeNull()
  })
  test('is there at a later step as an old one, unless it was sent', () => {
    const kept = shelf()
    draftWrite(kept, 'run', 3, 7, 'I thought that')
    expect(draftRead(kept, 'run', 3, 8)).toEqual({ draft: 'I thought that', isOld: true })
    draftWrite(kept, 'run', 3, 7, 'I thought that', true)
    expect(draftRead(kept, 'run', 3, 7)).toEqual({ draft: 'I thought that', isOld: false })
    expect(draftRead(kept, 'run', 3, 8)).toBeNull()
  })
  test('costs nothing where the browser keeps nothing', () => {
    draftWrite(refusing, 'run', 0, 1, 'x')
    expect(draftRead(refusing, 'run', 0, 1)).toBeNull()
  })
})

describe('a key beside the board', () => {
  test('typed on when the turn has ended plays nothing, however long the word', () => {
    const guard = new KeyGuard()
    guard.touched()
    guard.wrote(1_000)
    guard.begin(1_200, false)
    const typed = [...'st do it, add'].map((key, i) => guard.press(key, 1_300 + i * 400))
    expect(new Set(typed)).toEqual(new Set(['deaf']))
  })
  test('counts when it is pressed again after a rest, and no other in its place', () => {
    const guard = new KeyGuard()
    guard.wrote(0)
    guard.begin(0, false)
    expect(guard.press('d', 2_000)).toBe('ask')
    expect(guard.press('c', 2_500)).toBe('ask')
    expect(guard.asked).toBe('c')
    expect(guard.press('c', 3_000)).toBe('act')
  })
  test('counts when a turn began between the two times, but not after a text', () => {
    const guard = new KeyGuard()
    expect(guard.press('.', 1_000)).toBe('ask')
    guard.begin(1_100, false)
    expect(guard.asked).toBe('.')
    expect(guard.press('.', 1_200)).toBe('act')
    guard.wrote(2_000)
    expect(guard.press('.', 4_000)).toBe('ask')
    guard.begin(4_100, false)
    expect(guard.asked).toBe('')
    expect(guard.press('.', 6_000)).toBe('ask')
  })
  test('counts at once after the board was touched, and in a match that ticks until somebody writes', () => {
    const guard = new KeyGuard()
    expect(guard.press('d', 9_000)).toBe('ask')
    guard.touched()
    expect(guard.press('d', 9_001)).toBe('act')
    const ticking = new KeyGuard()
    ticking.begin(0, true)
    expect(ticking.press('arrowup', 10)).toBe('act')
    ticking.wrote(20)
    ticking.begin(30, true)
    expect(ticking.press('arrowup', 40)).toBe('deaf')
  })
})

describe('the name of a tab', () => {
  test('outlives a reload', () => {
    const kept = shelf()
    const first = tabName(kept)
    tabFree(kept, first)
    expect(tabName(kept)).toBe(first)
  })
  test('is another in a copy of the tab, whose first is still open', () => {
    const kept = shelf()
    expect(tabName(kept)).not.toBe(tabName(kept))
  })
})

class Line {
  said: Sent[] = []
  posted: Sent[] = []
  stored: Move[] = []
  refused: Refused[] = []
  hasSocket = true
  answer: (sent: Sent) => Promise<Move> = () => new Promise(() => undefined)
  outbox: Outbox
  constructor() {
    const wiring: OutboxWiring = {
      say: (sent) => {
        if (this.hasSocket) this.said.push(sent)
        return this.hasSocket
      },
      post: (sent) => {
        this.posted.push(sent)
        return this.answer(sent)
      },
      stored: (_sent, move) => void this.stored.push(move),
      refused: (_sent, refusal) => void this.refused.push(refusal),
      changed: () => undefined,
    }
    this.outbox = new Outbox(wiring)
  }
}
const sent = (id: string): Sent => ({ id, step: 4, answer: { action: { move: 'C' } } })
const move = (id: string): Move => ({ id, own: true, action: { move: 'C' }, plan: null, passed: false, flags: [] })
const refusal = (code: string, more: Partial<Refused> = {}): Refused => ({ code, message: code, notes: [], action: null, moved: null, ...more })

describe('a decision on its way', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is sent again with the same id until it is acknowledged, and then no more', () => {
    const line = new Line()
    line.outbox.send(sent('a'))
    vi.advanceTimersByTime(RESEND_MS * 3)
    expect(line.said.map(({ id }) => id)).toEqual(['a', 'a', 'a', 'a'])
    line.outbox.acknowledged(move('a'))
    vi.advanceTimersByTime(RESEND_MS * 5)
    expect(line.said).toHaveLength(4)
    expect(line.stored).toEqual([move('a')])
    expect(line.outbox.pending).toBeNull()
  })
  test('is one at a time: a second press sends nothing', () => {
    const line = new Line()
    line.outbox.send(sent('a'))
    line.outbox.send(sent('b'))
    expect(line.said.map(({ id }) => id)).toEqual(['a'])
  })
  test('goes by a plain request where there is no socket, and where the socket stays silent', async () => {
    const line = new Line()
    line.hasSocket = false
    line.answer = (one) => Promise.resolve(move(one.id))
    line.outbox.send(sent('a'))
    await vi.advanceTimersByTimeAsync(0)
    expect(line.stored).toEqual([move('a')])

    const silent = new Line()
    silent.outbox.send(sent('b'))
    vi.advanceTimersByTime(RESEND_MS * 2)
    expect(silent.posted.map(({ id }) => id)).toEqual(['b'])
  })
  test('goes on being sent when a request fails for want of a line', async () => {
    const line = new Line()
    line.hasSocket = false
    line.answer = () => Promise.reject(new Error('network'))
    line.outbox.send(sent('a'))
    await vi.advanceTimersByTimeAsync(RESEND_MS * 2)
    expect(line.posted).toHaveLength(3)
    expect(line.refused).toEqual([])
    expect(line.outbox.pending?.id).toBe('a')
  })
  test('ends with a refusal, which is told by name', async () => {
    const line = new Line()
    line.hasSocket = false
    line.answer = () => Promise.reject(new Refusal(refusal('late')))
    line.outbox.send(sent('a'))
    await vi.advanceTimersByTimeAsync(0)
    expect(line.refused.map(({ code }) => code)).toEqual(['late'])
    expect(line.outbox.pending).toBeNull()
  })
  test('counts as stored where what stands already is itself, its acknowledgement lost', () => {
    const line = new Line()
    line.outbox.send(sent('a'))
    line.outbox.rejected('a', refusal('already_moved', { moved: move('a') }))
    expect(line.stored).toEqual([move('a')])
    expect(line.refused).toEqual([])
  })
  test('hears only of itself', () => {
    const line = new Line()
    line.outbox.send(sent('a'))
    line.outbox.acknowledged(move('b'))
    line.outbox.rejected('b', refusal('late'))
    expect(line.outbox.pending?.id).toBe('a')
  })
})

describe('moves that wait for the next turns', () => {
  test('go out one by one in their order', () => {
    const [up, left]: Answer[] = [{ action: 'up' }, { action: 'left' }]
    const queue = queued(queued([], up as Answer), left as Answer)
    expect(nextOf(queue)).toEqual({ answer: up, rest: [left] })
    expect(nextOf([])).toBeNull()
  })
  test('give way to a plan, and are bounded', () => {
    expect(queued([{ action: 'up' }], { plan: { plan: 'go' } })).toEqual([{ plan: { plan: 'go' } }])
    const full = Array.from({ length: QUEUE_MAX }, (): Answer => ({ action: 'up' }))
    expect(queued(full, { action: 'down' })).toBe(full)
  })
})

describe('what the page says of its seat', () => {
  const run = { status: 'running', seats: Array(4).fill({}), waiting_for: [{ seat: 1, since_s: 2 }, { seat: 0, since_s: 2 }] } as unknown as RunMeta
  const turn = { step: 3, moved: null, plan: null } as unknown as Turn
  const base = { run, seat: 0, state: 'playing' as const, turn, pending: null, isLost: false, substitute: 'guided', then: 'nothing is done', nameOf: (seat: number) => `s${seat}`, ended: '' }
  test('whose move it is, and whom all wait for, never oneself', () => {
    expect(stateOf(base)).toEqual([{ key: 'yourMove' }])
    expect(stateOf({ ...base, ended: 'no wood in sight' })).toEqual([{ key: 'yourMove' }, { key: 'planEnded', facts: { why: 'no wood in sight' } }])
    const moved = { ...turn, moved: move('a') }
    expect(stateOf({ ...base, turn: moved })).toEqual([{ key: 'sentWaiting' }, { key: 'waitingPeople', facts: { n: 1, all: 4, names: ['s1'], more: '' } }])
    expect(stateOf({ ...base, turn: { ...turn, moved: { ...move('a'), passed: true } } })[0]).toEqual({ key: 'passedWaiting' })
    expect(stateOf({ ...base, turn: null })[0]).toEqual({ key: 'notAsked' })
  })
  test('the button says of a move that it is sent, and for how many others it waits', () => {
    const moved = { ...turn, moved: move('a') }
    expect(sentOf(base)).toBeNull()
    expect(sentOf({ ...base, turn: moved })).toEqual({ key: 'sentButton', facts: { n: 1 } })
    expect(sentOf({ ...base, turn: moved, run: { ...run, waiting_for: [] } })).toEqual({ key: 'sentAll' })
    expect(sentOf({ ...base, turn: { ...turn, moved: { ...move('a'), own: false } } })).toBeNull()
    expect(sentOf({ ...base, turn: moved, run: { ...run, status: 'finished' } })).toBeNull()
  })
  test('“Sent.” only of a move of one’s own', () => {
    const of = (more: Partial<Move>) => stateOf({ ...base, turn: { ...turn, moved: { ...move('a'), own: false, ...more } } })[0]
    expect(of({})).toEqual({ key: 'otherPlayed', facts: { substitute: 'guided' } })
    expect(of({ id: '', flags: ['timed_out'] })).toEqual({ key: 'defaultPlayed', facts: { default: 'nothing is done' } })
  })
  test('that a plan goes on, for which nobody is waited for', () => {
    expect(stateOf({ ...base, turn: { ...turn, plan: { plan: 'explore' } } })[0]).toEqual({ key: 'planGoesOn' })
  })
  test('that something is on its way, and that it cannot be while the line is lost', () => {
    expect(stateOf({ ...base, pending: sent('a') })).toEqual([{ key: 'sending' }])
    expect(stateOf({ ...base, pending: sent('a'), isLost: true })).toEqual([{ key: 'sendingLost' }])
  })
  test('refusals by name; one that it does not know in the server’s words', () => {
    const t = (key: Parameters<typeof word>[1], facts = {}) => word('en', key, facts)
    const ui = { t, told: (said: Parameters<typeof worded>[1]) => worded('en', said) }
    expect(refusalIn(ui, { code: 'late', message: 'x' })).toBe('Too late: that turn is over.')
    expect(refusalIn(ui, { code: 'not_playing', message: 'x', facts: { why: 'room' } })).toMatch(/^The match has not begun for you/)
    expect(refusalIn(ui, { code: 'not_playing', message: 'x', facts: { why: 'odd' } })).toBe('Nothing can be sent now.')
    expect(refusalIn(ui, { code: 'odd', message: 'because' })).toBe('Not done: because')
  })
  test('durations in words of either language', () => {
    expect([45, 119, 600, 5400, 7200].map((s) => lasting(s, 'en'))).toEqual(['45 s', '119 s', '10 min', '90 min', '2 h'])
    expect(lasting(90_000, 'zh')).toBe('25 小时')
  })
})

describe('notices', () => {
  test('stand at their step, with the seat that they are about', () => {
    const lines = noticeLines([{ n: 1, step: 5, kind: 'gone', seat: 2, data: { grace_s: 60 }, at: '' }, { n: 2, step: 5, kind: 'odd', seat: null, data: {}, at: '' }], (key) => word('en', key), (seat) => `s${seat}`)
    expect(lines.get(5)?.map(({ text, seats }) => [text, seats])).toEqual([['s2 is gone; the seat waits 60 s.', [2]], ['–: odd.', []]])
  })
})

describe('terms for people', () => {
  test('are sent by the server’s names, empty ones left out', () => {
    const { people, faults } = readTerms({ ...USUAL_TERMS, labels: 'ann\n bo \n\n', consentZh: '同意' })
    expect(faults).toEqual({})
    expect(people).toEqual({ default: 'default', label_required: false, deadline_s: 60, grace_s: 60, room_s: 600, shows: 'results', labels: ['ann', 'bo'], consent: { zh: '同意' } })
  })
  test('have one clock, and a waiting room without end where its time is left empty', () => {
    expect(readTerms({ ...USUAL_TERMS, clock: 'none', room: '' }).people).toMatchObject({ unhurried: true, room_s: null })
    expect(readTerms({ ...USUAL_TERMS, clock: 'tick', seconds: '1.5' }).people).toMatchObject({ tick_s: 1.5 })
  })
  test('of a run are written into the form and read back as they were', () => {
    const usual: Terms = { deadline_s: 90, tick_s: null, unhurried: false, default: 'default', grace_s: 60, room_s: 600, labels: null, label_required: false, consent: null, completion_code: null, completion_url: null, shows: 'results' }
    const all: Terms[] = [
      usual,
      { ...usual, deadline_s: null, tick_s: 1.5, default: 'substitute', grace_s: 0, room_s: null, label_required: true },
      { ...usual, deadline_s: null, unhurried: true, labels: ['ann', 'bo'], consent: { en: 'I agree', zh: '同意', fr: 'J’accepte' }, completion_code: 'X-1', completion_url: 'https://example.org/' },
      { ...usual, shows: 'move', blind: true, pause_away: true, prompt_s: 30, out_after: 3, stages: { talk: 90 } },
    ]
    for (const terms of all) {
      const { people, faults } = readTerms(termTexts(terms))
      expect(faults).toEqual({})
      expect({ ...usual, deadline_s: null, ...people }).toEqual(terms)
    }
  })
  test('are refused beside the field, with the bound', () => {
    expect(readTerms({ ...USUAL_TERMS, seconds: '2' }).faults).toEqual({ 'people.deadline_s': { key: 'faultMin', facts: { value: 2, bound: 5 } } })
    expect(readTerms({ ...USUAL_TERMS, clock: 'tick', seconds: '30' }).faults['people.tick_s']?.key).toBe('faultMax')
    expect(readTerms({ ...USUAL_TERMS, grace: 'soon' }).faults['people.grace_s']?.key).toBe('faultNumber')
  })
})

describe('whoever gives no sign', () => {
  test('is asked while their move is waited for, and not while others think', () => {
    const one = new Watchful(0)
    expect(one.asks(60_000, 30, false)).toBe(false)
    expect(one.asks(61_000, 30, true)).toBe(false)
    expect(one.asks(91_000, 30, true)).toBe(true)
    one.signed(92_000)
    expect(one.asks(93_000, 30, true)).toBe(false)
    expect(one.asks(122_000, 30, true)).toBe(true)
  })
})
