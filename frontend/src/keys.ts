/** Every key of a run page in one table; pure, so that it is tested without a browser. */
export type Command =
  | { do: 'round' | 'step'; by: number }
  | { do: 'first' | 'live' | 'toggle' | 'fullscreen' | 'help' | 'eyes' | 'everyone' }
  | { do: 'mark'; direction: 1 | -1 }
  | { do: 'speed' | 'sibling'; by: 1 | -1 }
  | { do: 'digit'; digit: number }

export interface KeyPress {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  altKey: boolean
  metaKey: boolean
}

/** `awaitsSeat`: A was pressed and a digit names the seat. */
export function command(press: KeyPress, awaitsSeat = false): Command | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null
  const far = press.shiftKey ? 10 : 1
  if (awaitsSeat && /^\d$/.test(press.key)) return { do: 'digit', digit: Number(press.key) }
  switch (press.key) {
    case 'ArrowLeft':
      return { do: 'round', by: -far }
    case 'ArrowRight':
      return { do: 'round', by: far }
    case 'k':
      return { do: 'round', by: -1 }
    case 'j':
      return { do: 'round', by: 1 }
    case 'K':
      return { do: 'round', by: -10 }
    case 'J':
      return { do: 'round', by: 10 }
    case 'p':
      return { do: 'step', by: -1 }
    case 'n':
      return { do: 'step', by: 1 }
    case 'Home':
    case '0':
      return { do: 'first' }
    case 'End':
    case '$':
    case 'l':
    case 'L':
      return { do: 'live' }
    case ' ':
      return { do: 'toggle' }
    case '[':
      return { do: 'mark', direction: -1 }
    case ']':
      return { do: 'mark', direction: 1 }
    case '{':
      return { do: 'sibling', by: -1 }
    case '}':
      return { do: 'sibling', by: 1 }
    case '<':
    case ',':
      return { do: 'speed', by: -1 }
    case '>':
    case '.':
      return { do: 'speed', by: 1 }
    case 'a':
    case 'A':
      return { do: 'eyes' }
    case 'Escape':
      return { do: 'everyone' }
    case 'f':
    case 'F':
      return { do: 'fullscreen' }
    case '?':
      return { do: 'help' }
    default:
      return null
  }
}

/** Whether the element that has the focus has a use of its own for a key that was pressed. */
export function isKept({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  const { tagName, isContentEditable } = target
  return keepsKey({ tagName, isContentEditable, type: target.getAttribute('type') ?? 'text', role: target.getAttribute('role') }, key)
}

/**
 * Whether a key belongs to the element that has the focus. Text fields keep everything; a button or a toggle keeps
 * only Enter, so that a click on it does not swallow the keys of the page (Space is given to the replay).
 */
export function keepsKey(element: { tagName: string; type?: string; isContentEditable?: boolean; role?: string | null } | null, key: string): boolean {
  if (!element) return false
  if (element.isContentEditable) return true
  const tag = element.tagName.toUpperCase()
  if (tag === 'TEXTAREA') return true
  if (tag === 'SELECT') return !['Escape', '?'].includes(key)
  if (tag === 'INPUT') return !['button', 'checkbox', 'radio', 'submit', 'range'].includes(element.type ?? 'text')
  if (element.role === 'tab') return key === 'ArrowLeft' || key === 'ArrowRight' || key === 'Home' || key === 'End'
  return false
}
