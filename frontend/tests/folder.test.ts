import { describe, expect, it } from 'vitest'
import { fileSource, inflate } from '../src/folder/file'
import { chosenIn, runId, type FolderIndex } from '../src/folder/index'
import { scaleOf } from '../src/folder/scale'
import { Replay } from '../src/record/replay'
import { totalsOf } from '../src/run/totals'
import type { RunMeta } from '../src/types'
import { frame } from './frames'

async function deflated(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))
  return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())))
}

const frames = [0, 1, 2].map((n) => frame(n))
const packed = await deflated(frames.map((one) => JSON.stringify(one) + '\n').join(''))
const run = { id: 'base-1' } as RunMeta

describe('a run in a file', () => {
  it('is inflated by the browser itself, line by line', async () => {
    expect(await inflate(`\n${packed}\n`)).toEqual(frames)
  })

  it('is read once and answers as the site does', async () => {
    let reads = 0
    const source = fileSource(run, 2, () => (reads++, inflate(packed)))
    expect((await source.snapshot('base-1', null, 2)).body.frame?.n).toBe(2)
    expect((await source.snapshot('base-1', 1, 2)).body.frame?.n).toBe(1)
    expect((await source.frames('base-1', 0, 1, 2)).body).toEqual({ head: 2, frames: [frames[1]] })
    expect(reads).toBe(1)
    expect(source.socket).toBeNull()
  })

  it('has no other step and no other eyes', async () => {
    const source = fileSource(run, null, () => inflate(packed))
    await expect(source.snapshot('base-1', 3, null)).rejects.toMatchObject({ status: 404 })
    await expect(source.snapshot('base-1', 0, 1)).rejects.toMatchObject({ code: 'other_eyes' })
  })
})

describe('the runs of a folder', () => {
  const condition = (name: string, replicates: number[]) => ({ name, title: {}, agents: [], replicates, metrics: {} })
  const folder = { conditions: [condition('none', []), condition('a', [1, 2]), condition('a-1', [1])] } as unknown as FolderIndex

  it('are named by condition and replicate, and found by that name', () => {
    expect(chosenIn(folder, runId('a', 2))).toMatchObject({ condition: { name: 'a' }, replicate: 2 })
    expect(chosenIn(folder, 'a-1-1')).toMatchObject({ condition: { name: 'a-1' }, replicate: 1 })
  })

  it('begin with the first that there is where the address names none', () => {
    expect(chosenIn(folder, null)).toMatchObject({ condition: { name: 'a' }, replicate: 1 })
    expect(chosenIn(folder, 'gone-7')).toMatchObject({ condition: { name: 'a' }, replicate: 1 })
    expect(chosenIn({ ...folder, conditions: [] }, null)).toBeNull()
  })
})

describe('totals over the run', () => {
  it('add up payoffs as far as the frames are here, of those that have most and least', () => {
    const replay = new Replay()
    replay.grow(4)
    replay.put([0, 1, 2].map((n) => ({ ...frame(n), payoffs: n ? [[0, n], [1, 5], [2, 2]] : [] })))
    expect(totalsOf(replay, 2)).toEqual([
      { seat: 0, values: [0, 1, 3, null, null] },
      { seat: 1, values: [0, 5, 10, null, null] },
    ])
  })
})

describe('the shade of a cell', () => {
  it('runs from dark to light, with white text on the dark half', () => {
    const shade = scaleOf([0, null, 2, 4])
    expect(shade(0)).toEqual({ colour: 'rgb(0 34 78)', isDark: true })
    expect(shade(4)).toEqual({ colour: 'rgb(254 232 56)', isDark: false })
    expect(shade(1.9).isDark).toBe(true)
    expect(shade(2).isDark).toBe(false)
    expect(shade(3).isDark).toBe(false)
  })

  it('is the middle one where all are the same', () => {
    expect(scaleOf([3, 3])(3).colour).toBe('rgb(124 123 120)')
  })
})
