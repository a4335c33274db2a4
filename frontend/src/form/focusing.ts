import { tick } from 'svelte'

/** Puts the reader to the first thing that is wrong: its input, or, where a whole structure is wrong, what begins it. */
export async function focusFault(within: ParentNode = document): Promise<void> {
  await tick()
  const first = within.querySelector<HTMLElement>('[aria-invalid="true"], .bad, .faultlist, [role="alert"]')
  if (!first) return
  const alert = first.matches('[role="alert"]') ? first : first.querySelector('[role="alert"]')
  const beside = alert?.closest('[data-path]')?.querySelector<HTMLElement>(CONTROLS)
  const target = first.matches(CONTROLS) ? first : (first.querySelector<HTMLElement>('[aria-invalid="true"]') ?? beside ?? first.querySelector<HTMLElement>(CONTROLS) ?? first)
  for (let fold = target.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) fold.open = true
  target.focus()
  target.scrollIntoView({ block: 'center' })
}

const CONTROLS = 'input, select, textarea, button'
