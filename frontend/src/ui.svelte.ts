import { createContext } from 'svelte'
import { readTheme, type Theme } from '../kit/theme'
import type { Facts, Lang } from './types'
import { learn, word, type Key } from './words'
import { refusal, type Refused } from './words/refusals'

const YEAR_S = 31_536_000

function remember(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`
}

function remembered(name: string): string | null {
  return document.cookie.match(new RegExp(`(?:^|; )${name}=([^;]*)`))?.[1] ?? null
}

/** The language of a page that no site chose one for; its theme is taken up with it. */
export function ownTaste(): Lang {
  const theme = remembered('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
  return (remembered('django_language') ?? navigator.language).startsWith('zh') ? 'zh' : 'en'
}

/** Language, theme and motion of this browser. The choice is kept in cookies, so that the server knows it as well. */
export class Ui {
  lang = $state<Lang>('en')
  theme = $state.raw<Theme>(readTheme())
  reduced = $state(false)

  /** `hasSite`: whether there is a site around this page, with a lobby and addresses to share. */
  constructor(
    lang: Lang,
    readonly hasSite = true,
    /** Whether the server has written the page's text: another language is then asked of it. */
    private readonly isServed = false,
    /** Who is signed in; "" nobody. */
    readonly user = '',
    /** Whether they may make and steer runs. */
    readonly isOperator = false,
    /** What a form of this page is sent with. */
    readonly csrf = '',
  ) {
    this.lang = lang
    document.documentElement.lang = lang
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', () => this.#readTheme())
    const calm = matchMedia('(prefers-reduced-motion: reduce)')
    this.reduced = calm.matches
    calm.addEventListener('change', () => (this.reduced = calm.matches))
  }

  t = (key: Key, facts?: Facts): string => word(this.lang, key, facts)

  /** Why something could not be had: a line that is lost, or what the server refused. */
  told = (fault: Refused): string => (fault.code === 'network' ? this.t('networkFault') : refusal(this.lang, fault))

  get isDark(): boolean {
    const chosen = document.documentElement.dataset.theme
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  }

  /** Wears a theme on this page alone, without taking it for this browser's taste. */
  wear(theme: 'dark' | 'light'): void {
    document.documentElement.dataset.theme = theme
    this.#readTheme()
  }

  toggleTheme(): void {
    const theme = this.isDark ? 'light' : 'dark'
    document.documentElement.dataset.theme = theme
    remember('theme', theme)
    this.#readTheme()
  }

  async toggleLanguage(): Promise<void> {
    const lang = this.lang === 'en' ? 'zh' : 'en'
    remember('django_language', lang === 'zh' ? 'zh-hans' : 'en')
    if (this.isServed) return location.reload()
    if (!(await learn(lang).then(() => true, () => false))) return location.reload()
    this.lang = lang
    document.documentElement.lang = lang
  }

  #readTheme(): void {
    this.theme = readTheme()
  }
}

export const [useUi, provideUi] = createContext<Ui>()
