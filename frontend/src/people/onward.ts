/** How soon a site that could not be reached is tried again. */
const AGAIN_MS = 2_000
/** How long an answer may take: a line that was lost without a word would be waited on for ever. */
const ANSWER_MS = 10_000

/**
 * Goes to an address of this site as soon as the site answers. To go there while the line is lost would leave the
 * browser's own error page, from which nobody is led back.
 */
export async function goOn(
  address: string,
  go: (address: string) => void = (to) => location.assign(to),
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<void> {
  while (!(await answers())) await wait(AGAIN_MS)
  go(address)
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })).ok
  } catch {
    return false
  }
}
