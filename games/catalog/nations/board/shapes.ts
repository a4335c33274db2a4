/** Made by `just contract` from what games.catalog.nations.rules declares. */

export interface AttackView {
  readonly by: number
  readonly on: number
  readonly mils: number
  readonly lost: number
  readonly damage: number
}

export interface BudgetView {
  readonly territories: number
  readonly gross: number
  readonly damage: number
  readonly penalty: number
  readonly upkeep: number
  readonly wanted: number
  readonly bought: number
  readonly spent: number
  readonly granted: number
  readonly left: number
  readonly received: number
  readonly army: number
  readonly lost: number
  readonly deserted: number
  readonly disbanded: number
  readonly welfare: number
}

export interface CessionView {
  readonly by: number
  readonly territory: number
  readonly to: number
}

/** What a bad actor wants, and how far it is. */
export interface GoalView {
  readonly kind: 'territories' | 'heritage' | 'damage' | 'rival' | 'ideology'
  readonly rival: number | null
  readonly heritage: readonly number[]
  readonly creed: string | null
  readonly text: string
  readonly score: number
}

export interface GrantView {
  readonly by: number
  readonly to: number
  readonly wanted: number | null
  readonly paid: number
  readonly arrived: number
}

export interface MessageData {
  readonly by: number
  readonly text: string
  readonly to?: readonly number[]
  readonly promise?: PromiseData
}

/** None is what those eyes may not know, or what there is not; ``budget`` is the nation's last turn. */
export interface NationView {
  readonly army: number | null
  readonly welfare: number | null
  readonly banked: number | null
  readonly held: readonly number[] | null
  readonly goal: GoalView | null
  readonly budget: BudgetView | null
}

/** The world after the last turn. Territories go by their place in ``owners``, from 1, money with its decimals. ``first``: the owners at the round's start. ``peak``: the most welfare that the world could make in a turn. A grant whose ``wanted`` is None is known by what came alone. */
export interface NationsView {
  readonly stage: string
  readonly round: number
  readonly rounds: number | null
  readonly turn: number
  readonly turns: number | null
  readonly owners: readonly number[]
  readonly first: readonly number[]
  readonly rules: RulesView
  readonly peak: number
  readonly seats: readonly NationView[]
  readonly attacks: readonly AttackView[]
  readonly grants: readonly GrantView[]
  readonly cessions: readonly CessionView[]
  readonly promises: readonly VowView[]
}

export interface PromiseData {
  readonly kind: 'peace' | 'grant' | 'cede'
  readonly amount: number
  readonly turns: number
}

/** ``resources``: what a territory needs of each; None without the option. */
export interface RulesView {
  readonly income: number
  readonly price: number
  readonly upkeep: number
  readonly damage: number
  readonly defence: number
  readonly penalty: number
  readonly trade: number
  readonly per_attack: boolean
  readonly in_proportion: boolean
  readonly paid_at_end: boolean
  readonly messages: number
  readonly message_length: number
  readonly resources: readonly number[] | null
}

export interface VowView {
  readonly by: number
  readonly to: number
  readonly kind: 'peace' | 'grant' | 'cede'
  readonly amount: number
  readonly until: number
}

export interface Events {
  readonly message_sent: MessageData
  readonly message_announced: MessageData
}
