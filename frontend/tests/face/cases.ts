import type { GameWords } from '../../src/gamewords'
import type { Schema } from '../../src/jsonschema'
import type { Facts, Frame, SeatMeta } from '../../src/types'
import { frame } from '../frames'

/** Views, words and schemas as declared games have them, for what is derived from them. */

export interface Case {
  words: { en: GameWords; zh: GameWords }
  seats: SeatMeta[]
  config: Facts
  frames: Frame[]
  /** What the seats are asked, by stage. */
  asks: Record<string, Schema>
}

const seatsOf = (...names: string[]): SeatMeta[] => names.map((name, seat) => ({ seat, name, role: '', kind: 'policy', agent: name }))
const words = (more: Partial<GameWords>): GameWords => ({ name: '', tagline: '', round: 'Round {n}', events: {}, ...more })

const GIFTS = [[12, 10, 14, 0], [12, 9, 14, 6], [13, 10, 16, 8], [14, 12, 15, 4], [15, 14, 17, 12], [16, 15, 18, 14], [17, 16, 20, 10]]
const POINTS: [number, number, number][][] = [[[2, 3, 3], [0, 3, 2]], [[2, 3, 2], [2, 1, 1]], [[2, 3, 1], [3, 2, 1]], [[0, 3, 2], [1, 3, 1], [2, 3, 2]], [[2, 3, 1]], [], [[0, 3, 2], [2, 3, 2], [1, 3, 1], [3, 2, 1]]]

function publicGoods(): Case {
  const totals = [0, 0, 0, 0]
  const frames = [frame(0, { view: { stage: 'contribute', round: 1, rounds: 10, contribute: null, punish: null, total: [0, 0, 0, 0], gain: [null, null, null, null], history: [[], [], [], []] } })]
  for (const [t, gifts] of GIFTS.entries()) {
    const back = gifts.reduce((a, b) => a + b) * 0.4
    const points = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? null : (POINTS[t]?.find(([a, b]) => a === i && b === j)?.[2] ?? 0))))
    const history = [0, 1, 2, 3].map((seat) => GIFTS.slice(0, t + 1).map((row) => row[seat] ?? null))
    frames.push(frame(2 * t + 1, { clock: [['round', t + 1]], stage: 'contribute', view: { stage: 'punish', round: t + 1, rounds: 10, contribute: gifts, punish: null, total: [...totals], gain: [null, null, null, null], history } }))
    const gain = gifts.map((gift, i) => 20 - gift + back - (points[i] ?? []).reduce((sum: number, each) => sum + (each ?? 0), 0) - 3 * points.reduce((sum, row) => sum + (row[i] ?? 0), 0))
    for (const [seat, each] of gain.entries()) totals[seat] = Math.round(((totals[seat] ?? 0) + each) * 100) / 100
    frames.push(frame(2 * t + 2, { clock: [['round', t + 1]], stage: 'punish', view: { stage: t + 1 < 10 ? 'contribute' : '', round: t + 1, rounds: 10, contribute: gifts, punish: points, total: [...totals], gain: gain.map((each) => Math.round(each * 100) / 100), history } }))
  }
  const part = (en: string, zh: string, lang: string): string => (lang === 'zh' ? zh : en)
  const book = (lang: 'en' | 'zh'): GameWords =>
    words({
      name: part('Public goods', '公共品', lang),
      tagline: part('Four seats give to a pot that grows and is shared, and may take from one another.', '四个席位向一个会增长并平分的公共池投入，之后可以互相扣点。', lang),
      round: part('Round {n}', '第 {n} 轮', lang),
      stages: { contribute: part('all give', '投入', lang), punish: part('all take', '扣点', lang) },
      ask: { contribute: part('How much do you give?', '你投入多少？', lang), punish: part('Do you use points on anybody?', '你要对谁用点？', lang) },
      actions: { contribute: part('Give', '投入', lang), punish: part('Use points', '用点', lang) },
      face: [
        { key: 'contribute', kind: 'bars', label: part('Gift', '投入', lang), unit: part('units', '单位', lang), money: true, most: 'endowment', stage: 'contribute' },
        { key: 'punish', kind: 'matrix', label: part('Points', '点数', lang), unit: part('points', '点', lang), rows: part('gives', '给出', lang), columns: part('receives', '收到', lang), stage: 'punish' },
        { key: 'total', kind: 'money', label: part('Earned so far', '累计所得', lang), unit: part('units', '单位', lang), score: true },
        { key: 'gain', kind: 'money', label: part('This round', '本轮', lang), unit: part('units', '单位', lang) },
        { key: 'history', kind: 'series', label: part('Gift by round', '历轮投入', lang), unit: part('units', '单位', lang), by: 'seat', most: 'endowment' },
      ],
    })
  return {
    words: { en: book('en'), zh: book('zh') },
    seats: seatsOf('haiku-4.5', 'qwen3-32b', 'Mira', 'free rider'),
    config: { endowment: 20 },
    frames,
    asks: {
      contribute: { type: 'object', title: 'Give', properties: { contribute: { type: 'integer', title: 'Gift', description: 'What you do not give you keep; the pot grows to 1.6 times and is shared equally.', minimum: 0, maximum: 20, 'x-unit': 'units', 'x-money': true } }, required: ['contribute'] },
      punish: { type: 'object', title: 'Points', properties: { punish: { type: 'array', title: 'Points', description: 'A point costs you 1 and takes 3 from whom you give it.', items: { type: 'object', properties: { to: { type: 'integer', 'x-seat': true, 'x-others': true }, units: { type: 'integer', minimum: 1 } } }, 'x-points': true, 'x-budget': 10, 'x-cost': 1, 'x-others': true, 'x-unit': 'points' } }, required: ['punish'] },
    },
  }
}

const PAYS: Record<string, [number, number]> = { SS: [5, 5], SH: [0, 3], HS: [3, 0], HH: [3, 3] }

function stagHunt(): Case {
  const moves = ['HH', 'SH', 'SS', 'HS', 'SS', 'SS']
  const totals = [0, 0]
  const frames = [frame(0, { view: { stage: 'choose', round: 1, rounds: null, pays: { rows: ['Stag', 'Hare'], columns: ['Stag', 'Hare'], cells: [['5, 5', '0, 3'], ['3, 0', '3, 3']], at: null }, choose: [null, null], total: [0, 0], gain: [null, null], history: [[], []] } })]
  for (const [t, [a = 'S', b = 'S']] of moves.entries()) {
    const gain = PAYS[a + b] ?? [0, 0]
    for (const seat of [0, 1]) totals[seat] = (totals[seat] ?? 0) + (gain[seat] ?? 0)
    frames.push(frame(t + 1, { clock: [['round', t + 1]], stage: 'choose', view: { stage: 'choose', round: t + 1, rounds: null, pays: { rows: ['Stag', 'Hare'], columns: ['Stag', 'Hare'], cells: [['5, 5', '0, 3'], ['3, 0', '3, 3']], at: [a === 'S' ? 0 : 1, b === 'S' ? 0 : 1] }, choose: [a, b], total: [...totals], gain, history: [0, 1].map((seat) => moves.slice(0, t + 1).map((move) => (PAYS[move] ?? [0, 0])[seat] ?? 0)) } }))
  }
  const choices = { S: 'Stag', H: 'Hare' }
  const book = words({
    name: 'Stag hunt',
    tagline: 'Two hunt one stag together, or each a hare alone.',
    stages: { choose: 'both choose' },
    ask: { choose: 'What do you hunt?' },
    face: [
      { key: 'pays', kind: 'matrix', label: 'What it pays' },
      { key: 'choose', kind: 'pick', label: 'Choice', choices, stage: 'choose' },
      { key: 'gain', kind: 'money', label: 'This round', unit: 'points' },
      { key: 'total', kind: 'money', label: 'Earned so far', unit: 'points', score: true },
      { key: 'history', kind: 'series', label: 'Earned', unit: 'points', by: 'seat' },
    ],
  })
  return {
    words: { en: book, zh: book },
    seats: seatsOf('haiku-4.5', 'qwen3-32b'),
    config: {},
    frames,
    asks: { choose: { type: 'object', properties: { choose: { enum: ['S', 'H'], title: 'Choice', 'x-choices': choices } }, required: ['choose'] } },
  }
}

function everything(): Case {
  const view = {
    stage: 'act', round: 4, rounds: 8,
    stock: 55.25, mood: 'The stock has fallen in every round.',
    harvest: [5, 3.5, 1.5, null, 1, 1.5],
    vote: ['yes', 'no', null, 'yes', 'yes', 'no'],
    debt: [-4, 12.5, 0, 3, -20.25, 7],
    gives: [0, 1, 2, 3, 4, 5].map((i) => [0, 1, 2, 3, 4, 5].map((j) => (i === j ? null : (i * 3 + j * 2) % 5 === 0 ? i + j : 0))),
    pays: { rows: ['Left', 'Right'], columns: ['Left', 'Right'], cells: [[1, 0], [0, -2]], at: [1, 1] },
    land: { rows: 4, cols: 5, seat: [[0, 0, null, 1, 1], [0, null, null, 1, 2], [3, 3, null, 2, 2], [3, 4, 4, 5, 5]], value: [[3, 1, 0, 2, 5], [1, 4, 0, 0, 2], [2, 2, 6, 1, 1], [0, 3, 3, 2, 1]], text: [['', '', 'x', '', ''], [], [], []] },
    ties: { edges: [[0, 1, 1], [1, 0, 2], [2, 3, 1], [3, 5, 3], [4, 0, 1]] },
    bids: { columns: ['seat', 'price', 'won'], rows: [['A', 4.5, true], ['B', 12, false], ['C', 7.25, true]] },
    growth: [80, 74.5, 63, 55.25],
    takes: [[2, 3, 4, 5], [1, 2, 3, 3.5], [1, 1, 1.5, 1.5], [2, 2, 2, null], [1, 1, 1, 1], [1, 1, 1.5, 1.5]],
  }
  const face: NonNullable<GameWords['face']> = [
    { key: 'stock', kind: 'number', label: 'Stock', unit: 'fish' },
    { key: 'mood', kind: 'text', label: 'News' },
    { key: 'harvest', kind: 'bars', label: 'Harvest', unit: 'fish', most: 6, stage: 'act' },
    { key: 'vote', kind: 'pick', label: 'Vote', choices: { yes: 'Yes', no: 'No' } },
    { key: 'gives', kind: 'matrix', label: 'Gifts', unit: 'fish', rows: 'gives', columns: 'gets' },
    { key: 'debt', kind: 'money', label: 'Balance', unit: 'fish', score: true },
    { key: 'pays', kind: 'matrix', label: 'What it pays' },
    { key: 'land', kind: 'grid', label: 'Land' },
    { key: 'ties', kind: 'graph', label: 'Who lends to whom' },
    { key: 'bids', kind: 'table', label: 'Bids', columns: { seat: 'Seat', price: 'Price', won: 'Won' } },
    { key: 'growth', kind: 'series', label: 'Stock over time', unit: 'fish', by: 'all' },
    { key: 'takes', kind: 'series', label: 'Harvest over time', unit: 'fish', by: 'seat' },
  ]
  const book = words({ name: 'Everything', tagline: 'One of each.', face })
  return {
    words: { en: book, zh: book },
    seats: seatsOf('Ada', 'Boole', 'Cantor', 'Dijkstra', 'Euler', 'Fermat'),
    config: {},
    frames: [frame(0, { view }), frame(1, { stage: 'act', clock: [['round', 4]], view })],
    asks: {
      act: {
        type: 'object',
        properties: {
          harvest: { type: 'number', title: 'Harvest', minimum: 0, maximum: 6, multipleOf: 0.5, 'x-unit': 'fish', 'x-money': true },
          vote: { enum: ['yes', 'no'], title: 'Vote', 'x-choices': { yes: 'Yes, close the lake', no: 'No' } },
          friend: { type: 'integer', title: 'Whom do you trust?', 'x-seat': true, 'x-others': true },
          gifts: { type: 'array', title: 'Gifts', items: { type: 'object', properties: { to: { type: 'integer', 'x-seat': true }, units: { type: 'integer', minimum: 1 } } }, 'x-points': true, 'x-budget': 5, 'x-others': true, 'x-unit': 'fish' },
          place: { type: 'array', title: 'Where', items: { type: 'integer' }, minItems: 2, maxItems: 2, 'x-cell': [4, 5] },
          say: { type: 'string', title: 'What do you say to all?', maxLength: 80, 'x-text': true },
          order: { type: 'array', title: 'Order', items: { enum: ['fish', 'rest', 'mend'] } },
        },
        required: ['harvest', 'vote', 'friend'],
      },
    },
  }
}

/** A game that declares nothing. */
function bare(): Case {
  const view = { round: 3, rounds: 10, gained: [3580, 3280, 2280, 2280], fines: [0, 20, 0, 60], gifts_by_round: [[10, 12, 14], [8, 8, 9], [20, 0, 0], [5, 5, 5]], fined_by: [[0, 0, 0, 20], [0, 0, 0, 40], [0, 20, 0, 0], [0, 0, 0, 0]], pool: { given: 43, grown: 68.8, shares: { each: 17.2, rest: 0 } }, phase_note: 'second half' }
  const book = words({ name: 'Commons fund', tagline: 'A folder game without a board.' })
  return { words: { en: book, zh: book }, seats: seatsOf('equal', 'greedy', 'tit', 'tat'), config: {}, frames: [frame(0, { view: {} }), frame(1, { view })], asks: {} }
}

function crowd(): Case {
  const n = 24
  const gifts = Array.from({ length: n }, (_, i) => (i * 7) % 21)
  const view = { stage: '', round: 9, rounds: 10, contribute: gifts, total: gifts.map((gift) => 200 - gift * 2.5) }
  const made = publicGoods()
  return { ...made, seats: seatsOf(...gifts.map((_, i) => `player ${i + 1}`)), frames: [frame(0, { view }), frame(1, { view, stage: 'contribute' })], asks: {} }
}

export const CASES: Record<string, Case> = { publicGoods: publicGoods(), stagHunt: stagHunt(), everything: everything(), bare: bare(), crowd: crowd() }
