import type { BoardModule } from './kit/board'
import type { Lang } from './types'

/** A game's words, as its folder holds them; see docs/adding-a-game.md. */
export interface GameWords {
  name: string
  tagline: string
  round: string
  stages?: Record<string, string>
  events: Record<string, { text: string; glyph?: string; mark?: string }>
  roles?: Record<string, string>
  metrics?: Record<string, { label: string; unit?: string; format?: string }>
  charts?: string[]
  actions?: Record<string, string>
  policies?: Record<string, string>
}

const BOARDS = import.meta.glob<BoardModule>('../../games/catalog/*/board/index.ts', { import: 'default' })
const WORDS = import.meta.glob<GameWords>('../../games/catalog/*/words/*.json', { import: 'default' })

const NO_WORDS: GameWords = { name: '', tagline: '', round: '{n}', events: {} }

/** The board of a game, or null: then the generic one draws it. */
export async function loadBoard(slug: string): Promise<BoardModule | null> {
  return (await BOARDS[`../../games/catalog/${slug}/board/index.ts`]?.()) ?? null
}

export async function loadWords(slug: string, lang: Lang): Promise<GameWords> {
  const load = WORDS[`../../games/catalog/${slug}/words/${lang}.json`]
  return load ? await load() : { ...NO_WORDS, name: slug }
}
