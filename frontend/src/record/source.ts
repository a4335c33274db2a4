import { fetchBriefs, fetchFrames, fetchSnapshot, fetchStory, openSocket, type Answer } from '../api'
import type { OtherMessage, SocketLike } from './stream'
import type { Brief } from './briefs'
import type { Frame, RunMeta, Said } from '../types'

/** Where a run's frames come from: the site, a run folder, or the file that the page itself is. */
export interface Source {
  /** `n` null: the last there is. */
  snapshot(id: string, n: number | null, as: number | null): Promise<Answer<{ run: RunMeta; frame: Frame | null }>>
  /** The frames after a number, at most `limit` of them. */
  frames(id: string, after: number, limit: number, as: number | null): Promise<Answer<{ head: number; frames: Frame[] }>>
  /** The same without the frames' views; null where the source cannot tell it apart. */
  briefs: ((id: string, after: number, limit: number, as: number | null) => Promise<Brief[]>) | null
  /** What came of it and how; null where that may not be told. */
  story(id: string): Promise<Said<'Story'> | null>
  /** null where nothing more will come: the run is over, and nobody is playing it. */
  socket: ((id: string, after: number, as: number | null) => SocketLike) | null
  /** What is said on the line beside the stream. */
  heard?(message: OtherMessage): void
}

export const SITE: Source = { snapshot: fetchSnapshot, frames: fetchFrames, briefs: fetchBriefs, story: fetchStory, socket: openSocket }
/** A run folder's server answers as the site does, but has nothing to stream. */
export const FOLDER: Source = { ...SITE, briefs: null, socket: null }
