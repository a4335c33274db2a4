/** What a page that the server wrote is read anew by: each part in place of its like, the rest as it stands. */

/** How far a match has gone, as the page says it. */
export interface Shown {
  head: number
}

/** The match of each place for a board. */
export function placesOf(page: ParentNode): Map<string, HTMLElement> {
  return new Map([...page.querySelectorAll<HTMLElement>('[data-match]')].map((place) => [place.dataset.match ?? '', place]))
}

/**
 * Puts the parts of a newer page into this one. A part that says the same stays, so that it is not read aloud again, and
 * so does one in which something is being written or of which the newer page says so; what had the focus has it again,
 * and what was scrolled stands where it stood.
 */
export function renew(page: Document, newer: Document): void {
  for (const part of page.querySelectorAll<HTMLElement>('[data-part]')) {
    const next = newer.querySelector<HTMLElement>(`[data-part="${part.dataset.part ?? ''}"]`)
    if (!next || next.dataset.keep !== undefined || part.innerHTML === next.innerHTML || part.querySelector('input:focus')) continue
    const focused = part.contains(page.activeElement) ? (page.activeElement?.id ?? '') : ''
    const scrolled = part.querySelector('ol')?.scrollTop ?? 0
    part.hidden = next.hidden
    part.replaceChildren(...next.childNodes)
    part.querySelector('ol')?.scrollTo({ top: scrolled })
    if (focused) page.getElementById(focused)?.focus()
  }
}

/** The server writes times by its own clock; whoever looks has another. */
export function clocksOf(page: ParentNode, lang: string): void {
  for (const one of page.querySelectorAll('time')) {
    const day = one.dataset.day === undefined ? {} : ({ day: 'numeric', month: 'short' } as const)
    one.textContent = new Date(one.dateTime).toLocaleString(lang === 'zh' ? 'zh-CN' : 'en-GB', { ...day, hour: '2-digit', minute: '2-digit' })
  }
}
