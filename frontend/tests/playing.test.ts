import { expect, test } from 'vitest'
import { Replay } from '../src/record/replay'
import { firstDifference } from '../src/run/playing'
import { frame } from './frames'

const replayOf = (...hashes: (string | null)[]): Replay => {
  const replay = new Replay()
  replay.put(hashes.flatMap((hash, n) => (hash === null ? [] : [{ ...frame(n), hash }])))
  return replay
}

test('two runs part at the first step whose hash differs', () => {
  expect(firstDifference(replayOf('a', 'b', 'c', 'd'), replayOf('a', 'b', 'x', 'd'))).toEqual({ at: 2, to: 2 })
})

test('a step that is missing on one side ends the look, which goes on from there', () => {
  const [one, other] = [replayOf('a', 'b', 'c', 'd'), replayOf('a', null, 'c', 'x')]
  expect(firstDifference(one, other)).toEqual({ at: null, to: 1 })
  other.put([{ ...frame(1), hash: 'b' }])
  expect(firstDifference(one, other, 1)).toEqual({ at: 3, to: 3 })
})

test('equal runs are compared to their end', () => {
  expect(firstDifference(replayOf('a', 'b'), replayOf('a', 'b'))).toEqual({ at: null, to: 2 })
})
