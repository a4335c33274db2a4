/** The design tokens as a canvas needs them. Read once for each theme, not for each frame. */
export interface Theme {
  isDark: boolean
  text: string
  text2: string
  text3: string
  surface: string
  void: string
  line: string
  line2: string
  accent: string
  ink: string
  inkSoft: string
  grid: string
  goodMark: string
  warnMark: string
  hatch: string
  font: string
  seats: readonly string[]
  onSeats: readonly string[]
}

export function readTheme(element: Element = document.documentElement): Theme {
  const style = getComputedStyle(element)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const eight = (name: string): string[] => Array.from({ length: 8 }, (_, i) => token(`${name}-${i + 1}`))
  return {
    isDark: style.colorScheme.trim() === 'dark',
    text: token('text'),
    text2: token('text-2'),
    text3: token('text-3'),
    surface: token('surface'),
    void: token('void'),
    line: token('line'),
    line2: token('line-2'),
    accent: token('accent'),
    ink: token('ink'),
    inkSoft: token('ink-soft'),
    grid: token('grid'),
    goodMark: token('good-mark'),
    warnMark: token('warn-mark'),
    hatch: token('hatch'),
    font: token('font'),
    seats: eight('seat'),
    onSeats: eight('on-seat'),
  }
}
