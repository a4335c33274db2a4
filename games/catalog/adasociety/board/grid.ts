import { clauses, colon, enumerated, inRow, seatName, fact, type BoardContext, type FactList, type Frame, type GridFacts, type Say } from '@polity/board'
import { groupsOf, readWorld, shareOf, type Amounts, type World } from './reading'
import type { Recipe } from './shapes'
import { plain, several, speaker, type Word } from './words'

/** All that the board shows, in words and as data: the map by its cells, the social graph by its seats, the tree. */
export function cells(frame: Frame, context: BoardContext): GridFacts {
  const say = speaker(context)
  const world = readWorld(frame)
  return {
    rows: world.rows,
    cols: world.cols,
    label: say('grid', { rows: world.rows, cols: world.cols }),
    cell: (row, col) => {
      const cell = row * world.cols + col
      const { block = false, event = null, stack = [] } = world.things.get(cell) ?? {}
      const seat = standing(world, cell)
      const said = [
        ...(seat === null ? [] : [say('stands', { name: seatName(context.seats, seat) }), ...standingOf(world, seat, context, say)]),
        ...(world.creatures.includes(cell) ? [say('creature')] : []),
        ...(block ? [say('block')] : []),
        ...(event ? [say('grid_of', { name: plain(event, context.lang) })] : []),
        ...(stack.length ? [listed(context, stack)] : []),
      ]
      const unseen = !said.length && world.seen !== null && !world.seen.has(cell)
      if (!said.length) said.push(say(unseen ? 'unseen' : 'empty'))
      return fact(`(${row},${col}) ${clauses(said, context.lang)}`, { seat, block, event: event || null, stack: amounts(stack) || null, unseen, ...(world.creatures.includes(cell) ? { creature: true } : {}) })
    },
    lists: () => [momentOf(world, say), graphOf(world, context, say), treeOf(world, context, say)],
  }
}

/** Where the step stands: what comes next, and how much is left. */
function momentOf(world: World, say: Say<Word>): FactList {
  const { step, stage, horizon } = world
  return { key: 'moment', label: say('moment'), items: [fact(say('momentIs', { stage: stageOf(world, say), step, horizon }), { step, stage, horizon })] }
}

/** What is done next, in words. */
export function stageOf(world: World, say: Say<Word>): string {
  return say(STAGES[world.stage] ?? 'stagePhysical')
}

const STAGES: Readonly<Record<string, Word>> = { contract: 'stageContract', negotiation: 'stageNegotiation', exploration: 'stageExploration', over: 'stageOver' }

/** The social graph: each seat with its groups and shares, its offers, and to whom it shows its map. */
function graphOf(world: World, context: BoardContext, say: Say<Word>): FactList {
  const items = context.seats.map(({ seat, name }) => {
    const links = world.links.filter((link) => link.from === seat)
    const bargain = links.find((link) => link.parity !== null)
    const bag = world.bags.get(seat)
    const reward = world.returns.get(seat)
    const cell = world.agents.get(seat)
    const said = standingOf(world, seat, context, say)
    if (reward !== undefined) said.push(say('rewardOf', { reward: round(reward) }))
    return fact(colon(name, said.length ? clauses(said, context.lang) : say('alone'), context.lang), {
      seat,
      groups: groupsOf(world, seat).map((group) => `${group.number}:${shareOf(group, seat)}`).join(' '),
      shows: links.filter((link) => link.shows_map).map((link) => link.to).join(' '),
      gives: links.filter((link) => link.reward > 0).map((link) => `${link.to}:${link.reward}`).join(' '),
      at: cell === undefined ? null : `${Math.floor(cell / world.cols)} ${cell % world.cols}`,
      bag: bag && amounts(bag),
      reward,
      partner: bargain?.to,
      proposal: bargain?.proposal,
    })
  })
  return { key: 'seats', label: say('social'), items }
}

/** The synthesis tree as far as it is known: what each thing is worth, what is made of what, how often it was. */
function treeOf(world: World, context: BoardContext, say: Say<Word>): FactList {
  const things = world.resources.map(({ name, value }) => fact(colon(plain(name, context.lang), say('worth', { value }), context.lang), { resource: name, value }))
  const events = world.recipes.map((recipe) => {
    const { name, inputs, outputs } = recipe
    const made = world.made.get(name)
    return fact(recipeOf(recipe, context, say) + (made === undefined ? '' : say('madeSoFar', { n: made })), { event: name, inputs: amounts(inputs), outputs: amounts(outputs), made })
  })
  return { key: 'tree', label: say('tree'), items: [...things, ...events] }
}

function recipeOf({ name, inputs, outputs }: Recipe, context: BoardContext, say: Say<Word>): string {
  return say('recipe', { name: plain(name, context.lang), inputs: listed(context, inputs), outputs: listed(context, outputs) })
}

/** What there is to say of a seat: its bag, its groups and shares, its bargain, whom it shows its map. */
function standingOf(world: World, seat: number, context: BoardContext, say: Say<Word>): string[] {
  const said: string[] = []
  const bag = world.bags.get(seat)
  if (bag?.length) said.push(say('holds', { things: listed(context, bag) }))
  for (const group of groupsOf(world, seat)) {
    said.push(say('inGroup', { group: group.number, share: round(shareOf(group, seat) * 100) }))
    if (group.keep) said.push(say('keeps', { keep: round(group.keep) }))
  }
  const links = world.links.filter((link) => link.from === seat)
  const bargain = links.find((link) => link.parity !== null)
  if (bargain) said.push(say('bargainsWith', { other: seatName(context.seats, bargain.to) }))
  if (bargain?.proposal) said.push(say('proposes', { share: bargain.proposal }))
  const shown = links.filter((link) => link.shows_map).map((link) => seatName(context.seats, link.to))
  if (shown.length) said.push(say('showsTo', { others: enumerated(shown, context.lang) }))
  return said
}

/** The seat that stands on a cell, as far as it is seen. */
export function standing(world: World, cell: number): number | null {
  for (const [seat, at] of world.agents) if (at === cell) return seat
  return null
}

export function listed(context: BoardContext, stack: Amounts): string {
  const say = speaker(context)
  return inRow(stack.map(([name, units]) => say('pile', { name: name ? several(name, units, context.lang) : say('unknownThing'), units })), context.lang)
}

function amounts(stack: Amounts): string {
  return stack.map(([name, units]) => `${name}:${units}`).join(' ')
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
