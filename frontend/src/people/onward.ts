import { renew } from './served'

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

/**
 * Looks at a page on which one waits until it is another: what has changed is put into it, so that nothing loses the
 * focus and only news are read aloud. Then goes there. ``after`` in milliseconds.
 */
export async function waitOn(
  page: Document,
  address: string,
  after: number,
  go: (address: string) => Promise<void> = goOn,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<void> {
  for (;;) {
    await wait(after)
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null)
    if (!answer?.ok) continue
    const newer = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (answer.redirected || placeIn(newer) !== placeIn(page)) return go(address)
    renew(page, newer)
  }
}

/** Where somebody is on their way, as the page they wait on says it; "" on any other. */
const placeIn = (page: ParentNode): string => page.querySelector<HTMLElement>('[data-waits]')?.dataset.waits ?? ''

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })).ok
  } catch {
    return false
  }
}
