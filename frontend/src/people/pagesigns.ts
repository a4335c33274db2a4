import { watchQuestions } from './pageasks'

/** How soon what is written on a page is told, and how often it says that it is open. */
const TYPED_MS = 800
const ALIVE_MS = 20_000

/** How often, and for how many seconds, a page was not looked at. */
export class Looked {
  n = 0
  private s = 0
  private since: number | null = null

  hidden(now: number): void {
    if (this.since !== null) return
    this.since = now
    this.n += 1
  }

  shown(now: number): void {
    this.s = this.seconds(now)
    this.since = null
  }

  seconds(now: number): number {
    return this.s + (this.since === null ? 0 : (now - this.since) / 1000)
  }
}

/** Minutes and seconds: 1:05. */
export const minutesOf = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function put(form: HTMLFormElement, name: string, value: string): void {
  const known = form.elements.namedItem(name)
  const field = known instanceof HTMLInputElement ? known : form.appendChild(Object.assign(document.createElement('input'), { type: 'hidden', name }))
  field.value = value
}

/** A slider counts once somebody has put it somewhere; until then it shows no place. */
function sliders(form: HTMLFormElement): void {
  for (const box of form.querySelectorAll<HTMLElement>('[data-slider]')) {
    const range = box.querySelector<HTMLInputElement>('input[type=range]')
    const said = box.querySelector('output')
    if (!range || !said) continue
    const moved = `${range.name}.moved`
    if (!form.elements.namedItem(moved)) box.classList.add('untouched')
    const touch = (): void => {
      box.classList.remove('untouched')
      put(form, moved, 'yes')
      said.textContent = range.value
      range.dispatchEvent(new Event('change', { bubbles: true }))
    }
    range.addEventListener('input', touch)
    range.addEventListener('pointerup', touch)
    range.addEventListener('keyup', (event) => {
      if (event.key === ' ' || event.key === 'Enter') touch()
    })
  }
}

/**
 * What a page that is read tells the site: that it is open, what is written on it by now, how often one looked away. So
 * nothing is lost where its time runs out or the browser closes. Returns what tells it at once, and what ends it.
 */
export function watchPage(form: HTMLFormElement): { tell: () => Promise<void>; stop: () => void } {
  const looked = new Looked()
  let typed: ReturnType<typeof setTimeout> | undefined
  const note = (): void => {
    put(form, 'looked.n', String(looked.n))
    put(form, 'looked.s', looked.seconds(Date.now()).toFixed(1))
  }
  const tell = async (): Promise<void> => {
    note()
    try {
      await fetch(form.dataset.sign ?? '', { method: 'POST', body: new FormData(form), keepalive: true })
    } catch {
      // The next one says it.
    }
  }
  const later = (): void => {
    clearTimeout(typed)
    typed = setTimeout(() => void tell(), TYPED_MS)
  }
  const seen = (): void => {
    if (document.hidden) {
      looked.hidden(Date.now())
      void tell()
    } else looked.shown(Date.now())
  }
  sliders(form)
  watchQuestions(form)
  form.addEventListener('input', later)
  form.addEventListener('change', later)
  form.addEventListener('submit', note)
  document.addEventListener('visibilitychange', seen)
  const alive = setInterval(() => void tell(), ALIVE_MS)
  return {
    tell,
    stop: () => {
      clearInterval(alive)
      clearTimeout(typed)
      document.removeEventListener('visibilitychange', seen)
    },
  }
}

/** Counts down what is left of a page's time, each second. */
export function countDown(place: HTMLElement, now: () => number = Date.now): () => void {
  const end = now() + Number(place.dataset.left) * 1000
  const show = (): void => {
    place.textContent = minutesOf((end - now()) / 1000)
  }
  show()
  const timer = setInterval(show, 1000)
  return () => clearInterval(timer)
}
