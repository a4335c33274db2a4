import { describe, expect, test } from 'vitest'
import { render } from 'svelte/server'
import type { BoardContext } from '../kit/board'
import { derivedBoard } from '../kit/face/board.svelte'
import { arcsOf, barHeight, hasColumns, roundsNamed, spread, ticksOf } from '../kit/face/layout'
import { bySeat, cellText, digitsOf, gridCells, inferred, isUntold, partsOf, payTable, rowsOf, scoreOf, topOf } from '../kit/face/parts'
import MatrixPart from '../kit/face/MatrixPart.svelte'
import { sceneOf } from '../kit/face/scene'
import SeatColumns from '../kit/face/SeatColumns.svelte'
import SeatRows from '../kit/face/SeatRows.svelte'
import { factsOfSeat, standingOf } from '../kit/face/telling'
import type { Theme } from '../kit/theme'
import { CASES, type Case } from './face/cases'
import { frame } from './frames'

const contextOf = ({ seats, config, frames }: Case, more: Partial<BoardContext> = {}): BoardContext => ({
  seats, config, lang: 'en', theme: {} as Theme, as: null, at: (n) => frames[n], selected: null, focused: null, bare: false, motion: 0, onselect: () => undefined, onhover: () => undefined, ...more,
})
const { publicGoods, stagHunt, everything, bare, crowd } = CASES as Record<'publicGoods' | 'stagHunt' | 'everything' | 'bare' | 'crowd', Case>
const said = (made: Case, n: number, more: Partial<BoardContext> = {}): string => {
  const { strong, quiet } = derivedBoard(made.words).headline(made.frames[n]!, contextOf(made, more))
  return `${strong} | ${quiet}`
}

describe('the sentence of a step', () => {
  test('is the tagline before anything has happened', () => {
    expect(said(publicGoods, 0)).toBe('Four seats give to a pot that grows and is shared, and may take from one another. | ')
  })
  test('tells what the stage that was played brought, then how things stand', () => {
    expect(said(publicGoods, 13)).toBe('Gift: 63 of 80 in all, most by Mira (20), least by free rider (10). | qwen3-32b leads with 162\u00a0units.')
    expect(said(publicGoods, 14)).toMatch(/^Points: 6 in all, most to free rider \(5\)\. \| Gift: 63 of 80 .* This round: most for qwen3-32b \(28\.2\), least for free rider \(19\.2\)\. qwen3-32b leads with 190\.2/)
    expect(said(stagHunt, 6)).toBe('All choose Stag. | This round: 5 for each.')
    expect(said(stagHunt, 4)).toMatch(/^haiku-4\.5 chooses Hare, qwen3-32b chooses Stag\./)
  })
  test('is told in Chinese with the game’s Chinese words', () => {
    expect(said(publicGoods, 13, { lang: 'zh' })).toBe('投入：共 63，满额 80，Mira 最多（20），free rider 最少（10）。 | qwen3-32b 领先，162\u00a0单位。')
  })
  test('begins with an event that the words mark', () => {
    const words = { ...publicGoods.words.en, events: { ruined: { text: '{by:seat} is ruined', mark: 'end' } } }
    const shown = { ...publicGoods.frames[13]!, events: [{ kind: 'ruined', data: { by: 3 } }] }
    expect(derivedBoard({ en: words, zh: words }).headline(shown, contextOf(publicGoods)).strong).toBe('free rider is ruined.')
  })
  test('says nothing of seats that these eyes do not know', () => {
    const view = { contribute: [null, 12, null, null], total: [null, 40, null, null] }
    const told = derivedBoard(publicGoods.words).headline(frame(3, { stage: 'contribute', view }), contextOf(publicGoods, { as: 1 }))
    expect(told).toEqual({ strong: 'Gift: qwen3-32b 12.', quiet: '' })
  })
})

test('through the eyes of one it is told what that one did, and no sum of what is not known', () => {
  const view = { punish: [[null, null, null, null], [null, null, null, null], [0, 6, null, 0], [null, null, null, null]] }
  const shown = frame(4, { stage: 'punish', view })
  const context = contextOf(publicGoods, { as: 2 })
  expect(derivedBoard(publicGoods.words).headline(shown, context).strong).toBe('Mira to qwen3-32b: 6.')
  const part = publicGoods.words.en.face!.find(({ key }) => key === 'punish')!
  const drawn = render(MatrixPart, { props: { scene: sceneOf(shown, context, publicGoods.words.en, 4), part, width: 430 } }).body.replace(/<!--.*?-->/g, '')
  expect([...drawn.matchAll(/<td class="sum[^"]*">([^<]*)</g)].map(([, sum]) => sum)).toEqual(['–', '–', '6', '–'])
  expect(drawn).not.toMatch(/<tr class="foot[^]*<td[^>]*>0</)
})

describe('the ledger', () => {
  test('ranks by the part that the words call the score, equally exact down a column', () => {
    const ledger = derivedBoard(publicGoods.words).ledger(publicGoods.frames[14]!, contextOf(publicGoods))
    expect(ledger.columns.map(({ label }) => label)).toEqual(['Gift', 'This round', 'Earned so far'])
    expect(ledger.rows.map(({ seat, values }) => [seat, ...values])).toEqual([[1, '16', '28.2', '190.2'], [0, '17', '26.2', '176.2'], [3, '10', '19.2', '168.2'], [2, '20', '20.2', '149.2']])
  })
  test('puts those last of whom nothing is known', () => {
    const { rows } = derivedBoard(everything.words).ledger(frame(1, { view: { debt: [3, null, 5, -2, 0, 1] } }), contextOf(everything))
    expect(rows.map(({ seat, score }) => [seat, score])).toEqual([[2, 5], [0, 3], [5, 1], [4, 0], [3, -2], [1, null]])
  })
  test('gives a player what is its own, and what is known of another', () => {
    const shown = publicGoods.frames[14]!
    const face = partsOf(publicGoods.words.en, shown.view, 4)
    expect(standingOf(face, shown, contextOf(publicGoods, { as: 2 }))).toBe('Earned so far 149.2\u00a0units')
    expect(standingOf(face, shown, contextOf(publicGoods))).toBeNull()
    expect(factsOfSeat(face, publicGoods.words.en, shown, contextOf(publicGoods), 3)).toBe('Gift 10, Earned so far 168.2')
  })
})

describe('a view of which the words say nothing', () => {
  const kinds = (view: Parameters<typeof inferred>[0], seats = 4): string[] => inferred(view, seats, {}).map(({ key, kind }) => `${key}:${kind}`)

  test('is read by its values, and nothing of it is left as JSON', () => {
    expect(kinds(bare.frames[1]!.view)).toEqual(['gained:money', 'fines:bars', 'gifts_by_round:series', 'fined_by:matrix', 'pool:table', 'phase_note:text'])
    expect(scoreOf(inferred(bare.frames[1]!.view, 4, {}))?.key).toBe('gained')
  })
  test('has a picture where all that it holds by seat is the score', () => {
    expect(inferred({ rounds_over: 2, pie: 10, gained: [10, 10], offers: [null, null] }, 2, {})).toEqual([{ key: 'pie', kind: 'number', label: 'Pie' }, { key: 'gained', kind: 'bars', label: 'Gained', score: true }])
  })
  test('keeps what stands in the header out of the picture, and what says nothing', () => {
    expect(kinds({ round: 3, rounds: null, stage: 'act', none: null, list: [], names: '' })).toEqual([])
  })
  test('knows pairs of seat and value, choices, records and cells', () => {
    expect(kinds({ paid: [[0, 5], [2, 7.5]], votes: ['yes', null, 'no', 'yes'], bids: [{ by: 1, price: 3 }], land: [[1, 2, 3], [4, 5, 6]], prices: [1, 2, 3, 4, 5] })).toEqual(['paid:bars', 'votes:pick', 'bids:table', 'land:grid', 'prices:series'])
    expect(bySeat([[0, 5], [2, 7.5]], 4)).toEqual([5, null, 7.5, null])
  })
  test('shows amounts below nought as money, and more than two kinds of bars not at all', () => {
    expect(kinds({ a: [1, 2], b: [-1, 2], c: [3, 4], d: [5, 6] }, 2)).toEqual(['a:bars', 'b:money', 'c:bars', 'd:money'])
  })
  test('calls things as the game does where it has a word', () => {
    expect(inferred({ mean_gift: 3, total_gift: 4 }, 2, { metrics: { mean_gift: { label: 'Mean gift' } } }).map(({ label }) => label)).toEqual(['Mean gift', 'Total gift'])
  })
  test('flattens a mapping to rows, and words a value in a cell', () => {
    expect(rowsOf({ key: 'pool', kind: 'table', label: 'Pool' }, bare.frames[1]!.view.pool)).toEqual({ columns: [], rows: [['Given', 43], ['Grown', 68.8], ['Shares, each', 17.2], ['Shares, rest', 0]] })
    expect(cellText([1, { a: 2 }, true, null], String)).toBe('1, a 2, ✓, –')
  })
})

test('what the words declare and the view does not hold is no part; what is null keeps its place', () => {
  expect(partsOf(publicGoods.words.en, { contribute: null, total: [0, 0, 0, 0] }, 4).map(({ key }) => key)).toEqual(['contribute', 'total'])
  expect(isUntold(partsOf(publicGoods.words.en, publicGoods.frames[0]!.view, 4), publicGoods.frames[0]!)).toBe(true)
  expect(isUntold(partsOf(stagHunt.words.en, stagHunt.frames[0]!.view, 2), stagHunt.frames[0]!)).toBe(false)
})

test('the top of a scale is the setting that it names, or the most that is there', () => {
  const part = { key: 'gift', kind: 'bars', label: 'Gift', most: 'endowment' } as const
  expect(topOf(part, { endowment: 20 }, [3])).toEqual({ top: 20, isGiven: true })
  expect(topOf(part, {}, [3, null, 7])).toEqual({ top: 7, isGiven: false })
  expect([digitsOf([1, 2]), digitsOf([1, 2.5]), digitsOf([1.25, null]), digitsOf([0.1 + 0.2])]).toEqual([0, 1, 2, 1])
})

test('tables of payoffs and cells are read with what they lack', () => {
  expect(payTable({ rows: ['a'], columns: ['x', 'y'], cells: [[1, [2, 3]]], at: null })).toEqual({ rows: ['a'], columns: ['x', 'y'], cells: [[1, '2, 3']], at: null })
  expect(payTable({ rows: ['go'], columns: ['go', 'x'], cells: [[1, 2]], at: null }, { go: '直行' })).toMatchObject({ rows: ['直行'], columns: ['直行', 'x'] })
  expect(payTable([[1, 2], [3, 4]])).toBeNull()
  const cells = gridCells({ rows: 1, cols: 2, seat: [[0, null]] })
  expect([cells?.cell(0, 0), cells?.cell(0, 1)]).toEqual([{ seat: 0, value: null, text: '' }, { seat: null, value: null, text: '' }])
})

describe('where things stand', () => {
  test('seats stand side by side while each has room', () => {
    expect([hasColumns(560, 108, 4), hasColumns(358, 80, 4), hasColumns(358, 80, 6), hasColumns(312, 0, 4), hasColumns(1000, 108, 12), hasColumns(1600, 108, 13)]).toEqual([true, true, false, true, true, false])
  })
  test('bars take the height that is left, within bounds', () => {
    expect([barHeight(700, 600, { bars: 1, rest: 250 }), barHeight(700, 300, { bars: 2, rest: 250 }), barHeight(358, 900, { bars: 1, rest: 0 }), barHeight(700, 600, { bars: 0, rest: 0 })]).toEqual([210, 92, 92, 0])
  })
  test('letters at the ends of lines part, in their order and within the picture', () => {
    const placed = spread([50, 50, 52, 10, 199], 15, 0, 200)
    expect(placed[3]).toBe(10)
    for (const [a, b] of [[0, 1], [1, 2], [2, 4]] as const) expect(placed[b]! - placed[a]!).toBeGreaterThanOrEqual(15)
    expect(spread([198, 199, 200], 15, 0, 200)).toEqual([170, 185, 200])
  })
  test('ticks are round and reach the top', () => {
    expect([ticksOf(0, 20), ticksOf(0, 5), ticksOf(-20.25, 12.5)]).toEqual([[0, 5, 10, 15, 20], [0, 2, 4, 6], [-20, -10, 0, 10, 20]])
    expect([roundsNamed(1, 300), roundsNamed(10, 360), roundsNamed(100, 300).at(-1)]).toEqual([[1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 100])
  })
  test('an arrow for each amount between two seats, none to oneself or of nothing', () => {
    const arcs = arcsOf([[5, 2, 0], [null, 0, 1], [3, 0, 0]], (seat) => 50 + seat * 100, 40, 26)
    expect(arcs.map(({ from, to, amount }) => [from, to, amount])).toEqual([[2, 0, 3], [0, 1, 2], [1, 2, 1]])
    expect(arcs[0]!.label.y).toBeGreaterThan(40)
    expect(arcs[1]!.label.y).toBeLessThan(40)
  })
})

describe('as it is drawn', () => {
  const html = (body: string): string => body.replace(/<!--.*?-->/g, '')
  const sceneFor = (made: Case, n: number, more: Partial<BoardContext> = {}) => sceneOf(made.frames[n]!, contextOf(made, more), made.words.en, made.seats.length)

  test('each seat has a column with badge, name, bar and money', () => {
    const parts = partsOf(publicGoods.words.en, publicGoods.frames[14]!.view, 4).filter(({ kind }) => kind !== 'series')
    const drawn = html(render(SeatColumns, { props: { scene: sceneFor(publicGoods, 14, { as: 2, subject: true }), parts, width: 560, gutter: 108, high: 160, strip: 96 } }).body)
    expect([...drawn.matchAll(/data-seat="(\d)" data-value="([\d.]+)"/g)].slice(0, 4).map(([, seat, value]) => [seat, value])).toEqual([['0', '17'], ['1', '16'], ['2', '20'], ['3', '10']])
    expect(drawn).toContain('3 left')
    expect(drawn).toContain('of 20 units')
    expect(drawn).toMatch(/>you</)
    expect(drawn).not.toContain('Mira<')
    expect(drawn).toContain('aria-label="Points: haiku-4.5 to free rider: 2, ')
  })
  test('more seats than have room are rows', () => {
    const drawn = html(render(SeatRows, { props: { scene: sceneFor(crowd, 1), parts: partsOf(crowd.words.en, crowd.frames[1]!.view, 24).filter(({ kind }) => kind !== 'series' && kind !== 'matrix') } }).body)
    expect(drawn.match(/<tr/g)).toHaveLength(25)
    expect(drawn).toContain('player 24')
  })
  test('a matrix has the sums of its rows and columns', () => {
    const part = publicGoods.words.en.face!.find(({ key }) => key === 'punish')!
    const drawn = html(render(MatrixPart, { props: { scene: sceneFor(publicGoods, 14), part, width: 430 } }).body)
    expect([...drawn.matchAll(/data-by="(\d)" data-to="(\d)" data-value="([1-9]\d*)"/g)].map(([, ...cell]) => cell.join(''))).toEqual(['032', '131', '232', '321'])
    expect([...drawn.matchAll(/<td class="sum[^"]*">([^<]*)</g)].map(([, sum]) => sum)).toEqual(['2', '1', '2', '1'])
    expect(drawn).toContain('receives')
  })
})
