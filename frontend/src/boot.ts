import type { Experiment } from './experiment/server'
import type { FolderIndex } from './folder/index'
import type { Agent } from './form/seats'
import type { GameWords } from './gamewords'
import type { OpenSeat } from './lobby/play'
import type { Terms } from './people/terms'
import type { Invitation } from './people/types'
import type { BrokenGame, Facts, GameCard, Lang, LatestRow, Localised, RunMeta, Said } from './types'

export const PAGES = ['lobby', 'run', 'embed', 'new', 'folder', 'file', 'join', 'play', 'runs', 'experiments', 'experiment', 'experimentnew', 'models', 'calls', 'tv', 'projector', 'class', 'study', 'tables', 'plain'] as const
export type Page = (typeof PAGES)[number]

/** What a run was made of. */
export interface LikeRun {
  id: string
  /** Name of its preset. */
  scenario: string
  config: Facts
  seats: Agent[]
  seat_names: string[]
  seat_roles: string[]
  /** As text: a seed may be more than JavaScript can hold. */
  seed: string
  pace: number
  audience: { kind: string; delay?: number; to?: string }
  /** The terms for people; null where none plays. */
  people: Terms | null
}

/** A run of an experiment, by its place in it. */
export interface Sibling {
  id: string
  condition: string
  replicate: number
}
/** The experiment that a run is a cell of, and its neighbours there. */
export interface OfExperiment {
  slug: string
  title: Localised
  near: { previous: Sibling | null; next: Sibling | null; beside: Sibling[] } | null
}

/** What a page is opened with. */
export interface Boot {
  lang: Lang
  page: Page
  run_id?: string
  /** Of the run whose seat is played. */
  id?: string
  /** What one joins by, and what it leads to. */
  code?: string
  join?: Invitation
  /** A session whose screen this is, the address of its door, and where its code is typed. */
  session?: number
  door?: string
  entry?: string
  /** Slug of the game that the page is of. */
  game?: string
  /** A run that the form is filled in from. */
  like?: LikeRun | null
  /** `operator`: may make and steer runs. `name`: "" where nobody is signed in. */
  user?: { operator: boolean; role?: string; name?: string }
  csrf?: string
  featured?: string | null
  runs?: LatestRow[]
  /** Matches worth reading, each with the step of its last turning point. */
  gallery?: { run: RunMeta; at: number | null }[]
  /** Of all runs that are kept, not only of those listed. */
  counts?: { live: number; finished: number }
  games?: GameCard[]
  broken?: BrokenGame[]
  /** By game, the newest round robin that is over, by its name in addresses. */
  robins?: Record<string, string>
  /** Seats in the lobby for whoever comes, and the games that a visitor can begin. */
  open_seats?: OpenSeat[]
  playable?: string[]
  /** Games that a class can play. */
  classes?: string[]
  /** Of an experiment, its name in addresses. */
  slug?: string
  experiments?: Experiment[]
  /** The experiment that a run is a cell of. */
  experiment?: OfExperiment | null
  /** The session of a study that a run is a match of, for operators. */
  of_session?: number | null
  /** A run folder, where the page is on one. */
  folder?: FolderIndex
  /** A run that the page holds itself, through whose eyes, and its game's words. */
  run?: RunMeta
  as?: number | null
  /** What came of that run and how. */
  story?: Said<'Story'> | null
  words?: { [lang in Lang]?: GameWords }
}
