import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Stream, type Line, type SocketLike } from '../src/record/stream'
import type { ServerMessage } from '../src/types'
import { frame } from './frames'

class FakeSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null
  onmessage: SocketLike['onmessage'] = null
  onclose: SocketLike['onclose'] = null
  onerror: SocketLike['onerror'] = null
  sent: unknown[] = []
  closed = false
  constructor(readonly after: number) {}
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(): void {
    this.closed = true
  }
  closes(code: number): void {
    this.onclose?.({ code } as CloseEvent)
  }
  says(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent)
  }
}

let draw = 1
let sockets: FakeSocket[]
let lines: Line[]
let got: number[]
let refusals: [string, string][]
let stream: Stream
const socket = (): FakeSocket => sockets.at(-1)!
const sendFrame = (n: number): void => socket().says({ type: 'frame', frame: frame(n) })
const ping = (head: number, status: 'running' | 'finished' = 'running'): void =>
  socket().says({ type: 'ping', head, status })

beforeEach(() => {
  vi.useFakeTimers()
  draw = 1
  sockets = []
  lines = []
  got = []
  refusals = []
  stream = new Stream({
    open: (after) => {
      sockets.push(new FakeSocket(after))
      return socket()
    },
    frame: (f) => got.push(f.n),
    snapshot: (_run, f) => got.push(f.n),
    ping: () => undefined,
    line: (line) => lines.push(line),
    refused: ({ code, message }) => refusals.push([code, message]),
    random: () => draw,
  })
})
afterEach(() => vi.useRealTimers())

test('frames are passed on in order and doubles are dropped', () => {
  stream.start(4)
  for (const n of [5, 5, 6, 4, 6, 7]) sendFrame(n)
  expect(got).toEqual([5, 6, 7])
})

test('a gap is asked for again and nothing behind it is passed on', () => {
  stream.start(4)
  sendFrame(5)
  sendFrame(8)
  sendFrame(9)
  expect(got).toEqual([5])
  expect(socket().sent).toEqual([{ type: 'want', after: 5 }])
  for (const n of [6, 7, 8, 9]) sendFrame(n)
  expect(got).toEqual([5, 6, 7, 8, 9])
})

test('a ping with a higher head is a gap too, and is asked for again when no answer comes', () => {
  stream.start(4)
  ping(6)
  ping(6)
  expect(socket().sent).toEqual([{ type: 'want', after: 4 }])
  vi.advanceTimersByTime(2_500)
  ping(7)
  expect(socket().sent).toEqual([{ type: 'want', after: 4 }, { type: 'want', after: 4 }])
})

test('nine seconds of silence are a lost line, and the next one asks from where it stood', () => {
  stream.start(4)
  sendFrame(5)
  vi.advanceTimersByTime(8_999)
  expect(sockets).toHaveLength(1)
  vi.advanceTimersByTime(2)
  expect([sockets[0]?.closed, sockets.length, socket().after]).toEqual([true, 2, 5])
})

test('pings keep the line', () => {
  stream.start(4)
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(2_500)
    ping(4)
  }
  expect(sockets).toHaveLength(1)
})

test('reconnecting backs off, doubling up to fifteen seconds', () => {
  stream.start(0)
  const waits: number[] = []
  for (let i = 0; i < 7; i++) {
    socket().closes(1006)
    waits.push(lines.at(-1)!.retryAt! - Date.now())
    vi.advanceTimersByTime(waits.at(-1)!)
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000])
})

test('a lost line stays lost while attempts fail, until one opens', () => {
  stream.start(0)
  expect(lines.at(-1)?.state).toBe('connecting')
  for (let i = 0; i < 4; i++) {
    socket().closes(1006)
    vi.advanceTimersByTime(lines.at(-1)!.retryAt! - Date.now())
  }
  expect(new Set(lines.slice(1).map((line) => line.state))).toEqual(new Set(['lost']))
  expect(lines.at(-1)).toEqual({ state: 'lost', retryAt: null })
  socket().onopen?.(new Event('open'))
  expect(lines.at(-1)?.state).toBe('open')
})

test('a word from the server forgets the back-off', () => {
  stream.start(0)
  for (let i = 0; i < 4; i++) {
    socket().closes(1006)
    vi.advanceTimersByTime(15_000)
  }
  ping(0)
  socket().closes(1006)
  expect(lines.at(-1)!.retryAt! - Date.now()).toBe(500)
})

test('waking connects at once where a retry was pending', () => {
  stream.start(0)
  for (let i = 0; i < 5; i++) {
    socket().closes(1006)
    if (i < 4) vi.advanceTimersByTime(15_000)
  }
  const before = sockets.length
  stream.wake()
  expect(sockets.length).toBe(before + 1)
  vi.advanceTimersByTime(8_000)
  expect(sockets.length).toBe(before + 1)
})

test('waking distrusts a socket that has been silent', () => {
  stream.start(0)
  vi.advanceTimersByTime(5_000)
  stream.wake()
  vi.advanceTimersByTime(1)
  expect(sockets).toHaveLength(2)
})

test('waking leaves a lively socket alone', () => {
  stream.start(0)
  ping(0)
  stream.wake()
  vi.advanceTimersByTime(100)
  expect(sockets).toHaveLength(1)
})

test('frames are acknowledged by the newest number, several at once', () => {
  stream.start(0)
  for (const n of [1, 2, 3]) sendFrame(n)
  vi.advanceTimersByTime(3_900)
  expect(socket().sent).toEqual([])
  vi.advanceTimersByTime(200)
  expect(socket().sent).toEqual([{ type: 'ack', n: 3 }])
  for (let n = 4; n < 24; n++) sendFrame(n)
  expect(socket().sent.at(-1)).toEqual({ type: 'ack', n: 19 })
})

test('what came twice or out of turn is acknowledged too: it is under way no longer', () => {
  stream.start(0)
  for (const n of [1, 2]) sendFrame(n)
  vi.advanceTimersByTime(4_100)
  for (const n of [1, 2]) sendFrame(n)
  vi.advanceTimersByTime(4_100)
  expect(socket().sent).toEqual([{ type: 'ack', n: 2 }, { type: 'ack', n: 2 }])
  sendFrame(9)
  vi.advanceTimersByTime(4_100)
  expect(socket().sent.slice(2)).toEqual([{ type: 'want', after: 2 }, { type: 'ack', n: 9 }])
  expect(got).toEqual([1, 2])
})

test('browsers that got the same frames at once answer at moments of their own', () => {
  stream.start(0)
  draw = 0
  sendFrame(1)
  vi.advanceTimersByTime(4_100)
  expect(socket().sent).toEqual([{ type: 'ack', n: 1 }])
  for (let n = 2; n < 9; n++) sendFrame(n)
  expect(socket().sent).toHaveLength(1)
  draw = 1
  sendFrame(9)
  expect(socket().sent.at(-1)).toEqual({ type: 'ack', n: 9 })
  for (let n = 10; n < 25; n++) sendFrame(n)
  expect(socket().sent).toHaveLength(2)
  sendFrame(25)
  expect(socket().sent.at(-1)).toEqual({ type: 'ack', n: 25 })
})

test('a snapshot moves on over a long gap', () => {
  stream.start(4)
  socket().says({ type: 'snapshot', run: {} as never, frame: frame(90) })
  sendFrame(91)
  expect(got).toEqual([90, 91])
})

test('a run that has ended and is known whole is left in peace when its line closes', () => {
  stream.start(0)
  sendFrame(1)
  ping(1, 'finished')
  socket().closes(1000)
  vi.advanceTimersByTime(60_000)
  expect([sockets.length, lines.at(-1)?.state]).toEqual([1, 'closed'])
})

test('a refusal is final and carries what the server said', () => {
  stream.start(0)
  socket().says({ type: 'error', code: 'seat_is_private', message: 'not yours' })
  socket().closes(4403)
  vi.advanceTimersByTime(60_000)
  expect([sockets.length, lines.at(-1)?.state, refusals]).toEqual([1, 'refused', [['seat_is_private', 'not yours']]])
})

test('having sent too much is no refusal: the line is taken up again', () => {
  stream.start(0)
  socket().says({ type: 'error', code: 'too_fast', message: 'slower' })
  socket().closes(4429)
  vi.advanceTimersByTime(1_000)
  expect([sockets.length, refusals]).toEqual([2, []])
})

test('nothing comes after stopping, not even from the old socket', () => {
  stream.start(0)
  const old = socket()
  const listener = old.onmessage
  stream.stop()
  listener?.({ data: JSON.stringify({ type: 'frame', frame: frame(1) }) } as MessageEvent)
  vi.advanceTimersByTime(60_000)
  expect([got, sockets.length]).toEqual([[], 1])
})

test('junk on the line is passed over', () => {
  stream.start(0)
  socket().onmessage?.({ data: '{not json' } as MessageEvent)
  socket().onmessage?.({ data: new ArrayBuffer(3) } as MessageEvent)
  sendFrame(1)
  expect(got).toEqual([1])
})
