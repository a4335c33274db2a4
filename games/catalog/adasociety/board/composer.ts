import { composing, defineComposer, draftRecord, html, isHalted, nothing, segments, standingPlan, STEPS, type Cell, type ComposerContext, type Facts, type TemplateResult } from '@polity/board'
import { chosenOf, isChoice, titleOf } from './answering'
import { drawBargain, drawInvitations } from './bargaining'
import { allows, goalOf, planFor, valuesOf, waysOf } from './choosing'
import { composerSpeaker } from './composerwords'
import { Desk, type Part } from './desk'
import { drawGroups } from './grouping'
import { readWorld } from './reading'
import { drawOthers } from './talking'
import { drawWalk } from './walking'

/** Walk by key, act on what lies underfoot, join, speak, bargain; each press is an action of its own. */
export default defineComposer({
  // What cannot be taken back is chosen first, and sent by the page's button.
  sends: ({ turn }) => (isChoice(turn) ? 'draft' : 'direct'),
  action: (draft, { turn }) => (isChoice(turn) ? chosenOf(draft, turn) : undefined),
  label: (draft, context) => {
    const chosen = chosenOf(draft, context.turn)
    const say = composerSpeaker(context)
    return chosen ? titleOf(say, chosen, readWorld(context.frame), context.seat) : say('chooseFirst')
  },
  kept: (draft) => {
    const { to, text } = draftRecord(draft)
    return typeof text === 'string' && text.trim() ? { to: to ?? null, text } : null
  },
  keys: Object.keys(STEPS).map((key) => key.toLowerCase()),
  marks: (_draft, { turn, frame }) => {
    const goal = goalOf(turn.plan, readWorld(frame).cols)
    return goal ? [{ cell: goal, text: '×', kind: 'goal' }] : []
  },
  mount: (element, first) => composing(element, first, (now) => new Composer(now)),
})

class Composer extends Desk {
  /** On the board the arrows walk its cells, as everywhere. */
  key(key: string, at: Cell | null): boolean {
    const { readonly, turn } = this.now()
    if (isHalted(key, at, this.now())) return true
    const direction = STEPS[key]
    if (readonly || at || !direction || !allows(turn, { do: 'move', direction })) return false
    this.act({ do: 'move', direction })
    return true
  }

  /** A click on the map goes there, or gathers there. */
  cell(cell: Cell): void {
    const { readonly, turn, frame, seat, onsubmit } = this.now()
    const plan = readonly || !turn.plan_schema ? null : planFor(readWorld(frame), seat, cell)
    if (plan) onsubmit({ plan })
  }

  draw(context: ComposerContext): TemplateResult {
    const ways = waysOf(context.turn)
    const world = readWorld(context.frame)
    const walks = ways.has('pick') || ways.has('synthesize') || valuesOf(ways.get('move'), 'direction').length > 1
    const parts = ([['walk', walks], ['groups', ways.has('join')], ['talk', ways.has('send') || ways.has('show_map')]] as const).flatMap(([part, is]) => (is ? [part] : []))
    const part = parts.includes(this.draft.part as 'walk') ? this.draft.part : parts[0]
    return html`${standingPlan(context, (plan) => this.planned(plan))}
      ${parts.length > 1
        ? segments<Part>({ ...context, readonly: false }, 'part', {
            label: this.say('parts'), value: part,
            choices: parts.map((each) => ({ value: each, label: this.say(each === 'walk' ? 'partWalk' : each === 'groups' ? 'groups' : 'people') })),
            onset: (chosen) => this.write({ part: chosen }),
          })
        : nothing}
      ${part === 'walk' ? drawWalk(this, context, world) : nothing} ${part === 'groups' ? drawGroups(this, context, world) : nothing}
      ${part === 'talk' ? drawOthers(this, context, world) : nothing} ${ways.has('invite') ? drawInvitations(this, context, world) : nothing}
      ${world.stage === 'negotiation' ? drawBargain(this, context, world) : nothing}`
  }

  private planned(plan: Facts): string {
    const name = typeof plan.resource === 'string' ? this.thing(plan.resource) : ''
    switch (plan.plan) {
      case 'gather':
        return this.say('gather', { n: plan.n ?? 1, name })
      case 'craft':
        return this.say('craft', { name })
      case 'dump':
        return this.say('dump', { name })
      case 'go':
        return this.say('go', { row: plan.row ?? 0, column: plan.column ?? 0 })
      default:
        return this.say('explore')
    }
  }
}
