import { ApiError } from '../api'
import type { Source } from '../record/source'
import type { Frame, RunMeta, Said } from '../types'

/** Lines of JSON that were deflated and put in base64, as `replayfile.py` does it. */
export async function inflate(base64: string): Promise<Frame[]> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0))
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).pipeThrough(new TextDecoderStream())
  const frames: Frame[] = []
  const reader = text.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) frames.push(JSON.parse(line) as Frame)
  }
  return frames
}

/** The run that a file holds, seen through the eyes that it was made for and no others. */
export function fileSource(run: RunMeta, as: number | null, read: () => Promise<Frame[]>, story: Said<'Story'> | null = null): Source {
  let reading: Promise<Frame[]> | undefined
  const frames = (): Promise<Frame[]> => (reading ??= read())
  const check = (eyes: number | null): void => {
    if (eyes !== as) throw new ApiError('other_eyes', '', 403)
  }
  return {
    snapshot: async (_id, n, eyes) => {
      check(eyes)
      const all = await frames()
      if (n !== null && n >= all.length) throw new ApiError('not_found', '', 404)
      return { body: { run, frame: all[n ?? all.length - 1] ?? null }, size: 0 }
    },
    frames: async (_id, after, limit, eyes) => {
      check(eyes)
      const all = await frames()
      return { body: { head: all.length - 1, frames: all.slice(after + 1, after + 1 + limit) }, size: limit }
    },
    briefs: null,
    story: async () => story,
    socket: null,
  }
}
