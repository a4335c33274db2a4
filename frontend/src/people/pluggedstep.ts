/** What a package's module is given to draw its step of a study. What it writes stands in the page's own fields. */
export interface StepHost {
  settings: unknown
  lang: string
  get(name: string): string
  set(name: string, value: string): void
}

const fieldsOf = (form: HTMLFormElement, name: string): HTMLInputElement[] => {
  const found = form.elements.namedItem(name)
  return (found === null ? [] : found instanceof RadioNodeList ? [...found] : [found]) as HTMLInputElement[]
}

const isChoice = (field: HTMLInputElement): boolean => field.type === 'radio' || field.type === 'checkbox'

function write(form: HTMLFormElement, name: string, value: string): void {
  for (const field of fieldsOf(form, name)) {
    if (isChoice(field)) field.checked = field.value === value
    else field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

function read(form: HTMLFormElement, name: string): string {
  const [first, ...more] = fieldsOf(form, name)
  if (!first) return ''
  return isChoice(first) ? ([first, ...more].find((one) => one.checked)?.value ?? '') : first.value
}

/** Draws a step by the module of its package. While it stands, the questions below are hidden; where it fails, or an
 * answer was refused, they are what is there. */
export async function drawStep(place: HTMLElement): Promise<void> {
  const { step: address = '', settings = 'null', fault } = place.dataset
  const asks = place.parentElement?.querySelector<HTMLElement>('[data-step-asks]')
  const form = place.closest('form')
  if (!asks || !form) return
  try {
    const { default: draw } = (await import(/* @vite-ignore */ address)) as { default: (element: HTMLElement, host: StepHost) => void }
    draw(place, {
      settings: JSON.parse(settings) as unknown,
      lang: document.documentElement.lang,
      get: (name) => read(form, name),
      set: (name, value) => write(form, name, value),
    })
    asks.hidden = fault === undefined
  } catch (reason) {
    console.error('the step cannot be drawn:', reason)
    place.replaceChildren()
  }
}
