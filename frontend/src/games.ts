import { fetchGame } from './api'
import type { GameWords } from './gamewords'
import type { BoardModule, Mounted } from '../kit/board'
import type * as Kit from '../kit'
import type { ComposerModule } from '../kit/composer'
import type { Pictures } from '../kit/pictures'
import type { Lang } from './types'

const BOARDS = import.meta.glob<BoardModule>('../../games/catalog/*/board/index.ts', { import: 'default' })
const COMPOSERS = import.meta.glob<ComposerModule>('../../games/catalog/*/board/composer.ts', { import: 'default' })
const PICTURES = import.meta.glob<Pictures>('../../games/catalog/*/board/pictures.ts', { import: 'default' })
const WORDS = import.meta.glob<GameWords>('../../games/catalog/*/words/*.yaml', { import: 'default' })

/** Words that came with the page or were asked for, of games that the bundle may not know. */
const given = new Map<string, GameWords>()

const NO_WORDS: GameWords = { name: '', tagline: '', round: '{n}', events: {} }

/** The boards that were derived; each is made once. */
const derived = new Map<string, Promise<BoardModule>>()

/** The board that a game's package brings: a module whose default export makes it of the kit and of the derived board. */
async function pluggedBoard(address: string, base: BoardModule): Promise<BoardModule> {
  const [kit, { default: make }] = (await Promise.all([import('../kit'), import(/* @vite-ignore */ address)])) as [typeof Kit, { default: (kit: typeof Kit, derived: BoardModule) => BoardModule }]
  return guarded(make(kit, base), base, address)
}

/** A board that falls back to another as soon as it throws. */
export function guarded(own: BoardModule, base: BoardModule, name: string): BoardModule {
  const told = (reason: unknown): void => console.error(`the board ${name} cannot be used:`, reason)
  const safe = Object.fromEntries(
    Object.entries(own as unknown as Record<string, unknown>).map(([key, act]) => {
      if (typeof act !== 'function') return [key, act]
      const other = (base as unknown as Record<string, unknown>)[key]
      return [key, (...given: unknown[]): unknown => {
        try {
          return (act as (...all: unknown[]) => unknown)(...given)
        } catch (reason) {
          told(reason)
          return typeof other === 'function' ? (other as (...all: unknown[]) => unknown)(...given) : undefined
        }
      }]
    }),
  ) as unknown as BoardModule
  return {
    ...safe,
    mount(element, context) {
      let isOwn = true
      let held: Mounted | null = null
      const mounted = (): Mounted => (held ??= (isOwn ? own : base).mount(element, context))
      const tried = <T>(act: (one: Mounted) => T): T => {
        try {
          return act(mounted())
        } catch (reason) {
          if (!isOwn) throw reason
          told(reason)
          isOwn = false
          held = null
          element.replaceChildren()
          return act(mounted())
        }
      }
      tried(() => undefined)
      return {
        update: (frame, seen) => tried((one) => one.update(frame, seen)),
        unmount: () => tried((one) => one.unmount()),
        box: (cell) => tried((one) => one.box?.(cell) ?? null),
        key: (key) => tried((one) => one.key?.(key) ?? false),
      }
    },
  }
}

/** The board of a game: its own, or what its words and its view give. */
export function loadBoard(slug: string): Promise<BoardModule> {
  const own = BOARDS[`../../games/catalog/${folder(slug)}/board/index.ts`]?.()
  if (own) return own
  const known = derived.get(slug)
  if (known) return known
  const made = Promise.all([loadWords(slug, 'en'), loadWords(slug, 'zh'), import('../kit/face/board.svelte')]).then(([en, zh, { derivedBoard }]) => {
    const base = derivedBoard({ en, zh })
    return typeof en.board !== 'string' ? base : pluggedBoard(en.board, base).catch((reason: unknown) => (console.error(`the board of ${slug} cannot be used:`, reason), base))
  })
  derived.set(slug, made)
  return made
}

/** The folder that a game's own files lie in: with mechanisms around it, which stand after a hyphen, that of the game. */
function folder(slug: string): string {
  return slug.split('-', 1)[0] ?? slug
}

/** Asks for what draws a game before it is known what there is to draw; whoever needs it asks again, and tells what fails. */
export function expect(slug: string, lang: Lang): void {
  void Promise.all([loadBoard(slug), loadWords(slug, lang)]).catch(() => undefined)
}

export function giveWords(slug: string, words: { [lang in Lang]?: GameWords }): void {
  for (const [lang, book] of Object.entries(words)) given.set(`${slug}/${lang}`, book)
}

/** What the site was asked for; once for each game that the bundle does not know. */
const asked = new Map<string, Promise<void>>()

/** The words of a game that came with neither page nor bundle, from the site; where it does not answer it is asked again later. */
async function askWords(slug: string): Promise<void> {
  const asking = asked.get(slug) ?? fetchGame(slug).then(({ words }) => giveWords(slug, words as { [lang in Lang]?: GameWords }))
  asked.set(slug, asking)
  await asking.catch(() => asked.delete(slug))
}

/** A game's own way to write an answer, or null: then it is made from the schema. */
export async function loadComposer(slug: string): Promise<ComposerModule | null> {
  return (await COMPOSERS[`../../games/catalog/${folder(slug)}/board/composer.ts`]?.()) ?? null
}

/** A game's pictures beside what a player may do, or null: then the words stand alone. */
export async function loadPictures(slug: string): Promise<Pictures | null> {
  return (await PICTURES[`../../games/catalog/${folder(slug)}/board/pictures.ts`]?.()) ?? null
}

export async function loadWords(slug: string, lang: Lang): Promise<GameWords> {
  const load = WORDS[`../../games/catalog/${folder(slug)}/words/${lang}.yaml`]
  const came = (): GameWords | undefined => given.get(`${slug}/${lang}`) ?? given.get(`${slug}/en`)
  if (!load && !came()) await askWords(slug)
  return came() ?? (load ? await load() : { ...NO_WORDS, name: slug })
}
