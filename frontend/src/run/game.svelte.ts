import { untrack } from 'svelte'
import { linesOf, type FeedWords, type Line } from '../record/feed'
import type { GameWords } from '../gamewords'
import { loadBoard, loadWords } from '../games'
import { seatName, type BoardModule } from '../../kit/board'
import type { Session } from '../record/session.svelte'
import { turningPoints } from '../record/turning'
import type { Frame, Lang, RunMeta } from '../types'
import type { Ui } from '../ui.svelte'
import { isKey, type Key } from '../words'

/** The board and the words of the game that a session shows, once they are here; made with the component that shows it. */
export class GameParts {
  board = $state.raw<BoardModule | null>(null)
  words = $state.raw<GameWords | null>(null)
  isReady = $state(false)

  constructor(session: Session, ui: Ui) {
    $effect(() => {
      const slug = session.meta?.game
      const lang = ui.lang
      if (slug) void untrack(() => this.#load(slug, lang))
    })
    $effect(() => {
      const words = this.words
      if (words) untrack(() => session.replay.markBy((briefs, head) => turningPoints(briefs, head, words)))
    })
  }

  async #load(slug: string, lang: Lang): Promise<void> {
    const [board, words] = await Promise.all([loadBoard(slug), loadWords(slug, lang)])
    this.board = board
    this.words = words
    this.isReady = true
  }
}

export interface FeedKit {
  words: FeedWords
  lines: (frame: Frame) => Line[]
}

/** How this game's events are said in this language; each frame is worded once. */
export function feedKit(
  game: GameWords,
  { seats, counted }: Pick<RunMeta, 'seats' | 'counted'>,
  t: (key: Key) => string,
  /** What befell the people of the run, by step. */
  notices: ReadonlyMap<number, Line[]> = new Map(),
  /** Whether lines that judge what happened are left out: those are for spectators. */
  isPlain = false,
): FeedKit {
  const words: FeedWords = {
    game,
    counted,
    minor: new Set(game.minor),
    note: t('noteOf'),
    flag: (flag) => {
      const key = `flag_${flag}`
      return t(isKey(key) ? key : 'flag_other')
    },
    seatName: (seat) => seatName(seats, seat),
  }
  const verdicts = new Set(game.verdicts)
  const worded = new WeakMap<Frame, Line[]>()
  return {
    words,
    lines: (frame) => {
      let lines = worded.get(frame)
      if (!lines) worded.set(frame, (lines = [...linesOf(frame, words).filter(({ kind }) => !isPlain || !verdicts.has(kind)), ...(notices.get(frame.n) ?? [])]))
      return lines
    },
  }
}
