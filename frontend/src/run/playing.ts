import type { Replay } from '../record/replay'

/** Tells a playing replay how much time goes by, once a picture. Returns how to end it. */
export function keepPlaying(replay: Replay): () => void {
  let last = performance.now()
  let request = requestAnimationFrame(function pass(time: number) {
    replay.pass(Math.min(time - last, 250))
    last = time
    request = requestAnimationFrame(pass)
  })
  return () => cancelAnimationFrame(request)
}

/**
 * The first step at which two runs differ, as far as both are here: by their frames' hashes. `from` is where the last
 * look ended, so that nothing is compared twice; `to` is where to look from next time.
 */
export function firstDifference(a: Replay, b: Replay, from = 0): { at: number | null; to: number } {
  for (let n = from; ; n++) {
    const [one, other] = [a.briefs.hash(n), b.briefs.hash(n)]
    if (one === undefined || other === undefined) return { at: null, to: n }
    if (one !== other) return { at: n, to: n }
  }
}
