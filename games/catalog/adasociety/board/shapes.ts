/** Made by `just contract` from what games.catalog.adasociety.rules.game declares. */

export interface AgentView {
  readonly seat: number
  readonly cell: readonly [number, number]
}

export interface BagView {
  readonly seat: number
  readonly units: readonly (readonly [string, number])[]
}

export interface Bargain {
  readonly seat: number
  readonly with: number
}

/** Seats that are alike, by what not all seats have alike: the most that they carry (None: any number), worths. */
export interface Body {
  readonly role: string
  readonly seats: readonly number[]
  readonly carries: readonly (readonly [string, number | null])[]
  readonly worth: readonly (readonly [string, number])[]
}

export interface Change {
  readonly name: string
}

export interface GraphView {
  readonly groups: readonly Group[]
  readonly edges: readonly Link[]
  readonly messages: readonly MessageView[]
}

/** ``members`` are nodes of the layer below with their shares of the pot; ``total`` sums the weights, where agents set them: who joins comes in with 1. Where groups have a norm, ``keep`` is the part in percent that it lets them keep of what they earn, ``ballots`` what members ask for or whom they trust, ``trusted`` who decides by delegation. */
export interface Group {
  readonly layer: number
  readonly number: number
  readonly members: readonly (readonly [number, number])[]
  readonly total?: number
  readonly keep?: number
  readonly ballots?: readonly (readonly [number, number])[]
  readonly trusted?: number
}

export interface Joining {
  readonly seat: number
  readonly group: number
  readonly left: number | null
}

export interface Lapse {
  readonly seats: readonly [number, number]
}

export interface Link {
  readonly from: number
  readonly to: number
  readonly shows_map: boolean
  readonly reward: number
  readonly parity: number | null
  readonly proposal: number | null
}

export interface Making {
  readonly seat: number
  readonly event: string
  readonly made: readonly string[]
  readonly cell: readonly [number, number]
}

export interface Merger {
  readonly seat: number
  readonly with: number
  readonly share: number
  readonly group: number
  readonly weights: readonly (readonly [number, number])[]
}

export interface MessageView {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly vector: readonly number[]
}

export interface Offer {
  readonly seat: number
  readonly to: number
  readonly share: number
}

export interface Picking {
  readonly seat: number
  readonly resource: string
  readonly cell: readonly [number, number]
}

/** ``requires`` must be held and is not used up. */
export interface Recipe {
  readonly name: string
  readonly inputs: readonly (readonly [string, number])[]
  readonly outputs: readonly (readonly [string, number])[]
  readonly requires: readonly (readonly [string, number])[]
}

export interface ResourceView {
  readonly name: string
  readonly value: number
  readonly capacity: number
}

export interface Ruling {
  readonly group: number
  readonly keep: number
  readonly norm: string
}

export interface Sending {
  readonly by: number
  readonly to: readonly [number]
  readonly text: string
  readonly vector: readonly number[]
}

/** A step, as far as some eyes know it. ``seen`` are the cells that they see, numbered row by row; None: all. ``bodies`` stand there while nobody moves. */
export interface SocietyView {
  readonly bodies?: readonly Body[]
  readonly cells: readonly Thing[]
  readonly seen?: readonly number[] | null
  readonly agents: readonly AgentView[]
  readonly bags: readonly BagView[]
  readonly returns?: readonly (readonly [number, number])[]
  readonly made?: readonly (readonly [string, number])[]
  readonly creatures?: readonly (readonly [number, number])[]
  readonly tree: TreeView
  readonly step: number
  readonly horizon: number
  readonly social_steps: number
  readonly height: number
  readonly width: number
  readonly sight: number
  readonly stage: string
  readonly mini_game: string
  readonly order: readonly number[]
  readonly graph: GraphView
}

/** What is on a cell, as far as these eyes know it: a block, the event that can be done, the piles. */
export interface Thing {
  readonly cell: readonly [number, number]
  readonly block: boolean
  readonly event: string | null
  readonly stack: readonly (readonly [string, number])[]
}

export interface TreeView {
  readonly resources: readonly ResourceView[]
  readonly events: readonly Recipe[]
}

export interface Weighing {
  readonly seat: number
  readonly group: number
  readonly weight: number
}

export interface Events {
  readonly structure_changed: Change
  readonly groups_merged: Merger
  readonly synthesized: Making
  readonly bargain_ended: Bargain
  readonly bargain_lapsed: Lapse
  readonly share_proposed: Offer
  readonly message_sent: Sending
  readonly group_joined: Joining
  readonly reward_passed: Offer
  readonly weight_set: Weighing
  readonly rule_set: Ruling
  readonly resource_picked: Picking
}
