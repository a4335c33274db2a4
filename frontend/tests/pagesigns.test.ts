import { afterEach, expect, test, vi } from 'vitest'
import { countDown, Looked, minutesOf } from '../src/people/pagesigns'

afterEach(() => vi.useRealTimers())

test('how often and how long a page was not looked at is counted once for each time', () => {
  const looked = new Looked()
  looked.hidden(1_000)
  looked.hidden(2_000)
  looked.shown(4_000)
  looked.hidden(10_000)
  expect([looked.n, looked.seconds(11_500)]).toEqual([2, 4.5])
})

test('what is left of a page is shown in minutes and seconds, and never below none', () => {
  expect([minutesOf(65), minutesOf(0.2), minutesOf(-3)]).toEqual(['1:05', '0:01', '0:00'])
})

test('the clock of a page counts down each second', () => {
  vi.useFakeTimers()
  const place = { dataset: { left: '61' }, textContent: '' } as unknown as HTMLElement
  const stop = countDown(place)
  expect(place.textContent).toBe('1:01')
  vi.advanceTimersByTime(2_000)
  expect(place.textContent).toBe('0:59')
  stop()
})
