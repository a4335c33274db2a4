import type { GameWords } from './gamewords'
import type { BoardModule } from '../kit/board'
import type { ComposerModule } from '../kit/composer'
import type { Pictures } from '../kit/pictures'
import type { Lang } from './types'

const BOARDS = import.meta.glob<BoardModule>('../../games/catalog/*/board/index.ts', { import: 'default' })
const COMPOSERS = import.meta.glob<ComposerModule>('../../games/catalog/*/board/composer.ts', { import: 'default' })
const PICTURES = import.meta.glob<Pictures>('../../games/catalog/*/board/pictures.ts', { import: 'default' })
const WORDS = import.meta.glob<GameWords>('../../games/catalog/*/words/*.json', { import: 'default' })

/** Words that came with the page, of games that the bundle may not know. */
const given = new Map<string, GameWords>()

const NO_WORDS: GameWords = { name: '', tagline: '', round: '{n}', events: {} }

/** The board of a game, or null: then the generic one draws it. */
export async function loadBoard(slug: string): Promise<BoardModule | null> {
  return (await BOARDS[`../../games/catalog/${slug}/board/index.ts`]?.()) ?? null
}

/** Asks for what draws a game before it is known what there is to draw; whoever needs it asks again, and tells what fails. */
export function expect(slug: string, lang: Lang): void {
  void Promise.all([loadBoard(slug), loadWords(slug, lang)]).catch(() => undefined)
}

export function giveWords(slug: string, words: { [lang in Lang]?: GameWords }): void {
  for (const [lang, book] of Object.entries(words)) given.set(`${slug}/${lang}`, book)
}

/** A game's own way to write an answer, or null: then it is made from the schema. */
export async function loadComposer(slug: string): Promise<ComposerModule | null> {
  return (await COMPOSERS[`../../games/catalog/${slug}/board/composer.ts`]?.()) ?? null
}

/** A game's pictures beside what a player may do, or null: then the words stand alone. */
export async function loadPictures(slug: string): Promise<Pictures | null> {
  return (await PICTURES[`../../games/catalog/${slug}/board/pictures.ts`]?.()) ?? null
}

export async function loadWords(slug: string, lang: Lang): Promise<GameWords> {
  const load = WORDS[`../../games/catalog/${slug}/words/${lang}.json`]
  const came = given.get(`${slug}/${lang}`) ?? given.get(`${slug}/en`)
  return came ?? (load ? await load() : { ...NO_WORDS, name: slug })
}
