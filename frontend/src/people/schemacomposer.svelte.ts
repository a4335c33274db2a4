import { mount, unmount } from 'svelte'
import { faultsOf } from '../form/check'
import { blank } from '../form/value'
import type { GameWords } from '../gamewords'
import { answerParts, deedText, unanswered } from '../../kit/answer/fields'
import { answerSpeaker } from '../../kit/answer/words'
import { defineComposer, type ComposerContext, type ComposerModule } from '../../kit/composer'
import type { Json } from '../types'
import type { Ui } from '../ui.svelte'
import SchemaComposer from './SchemaComposer.svelte'

/** Up to so many legal actions are shown as a choice of them; more are written by their parts. */
const LISTED = 12

/** The composer of every game that has none of its own: made from the schema of the action. */
export function schemaComposer(ui: Ui): ComposerModule {
  return defineComposer({
    sends: () => 'draft',
    action: (draft, { turn }) => {
      const value = valueOf(draft, turn)
      return faultsOf(turn.schema, value, turn.schema).length ? undefined : value
    },
    label: (draft, context) => {
      const { turn, words, seats } = context
      return deedText({ schema: turn.schema, value: valueOf(draft, turn), words: words as unknown as GameWords, stage: turn.stage, seats, say: answerSpeaker(context) })
    },
    // Where each part is written, so is doing nothing.
    waits: ({ turn }) => answerParts(turn.schema) === null,
    mount(element, first) {
      let context = $state.raw<ComposerContext>(first)
      const drawn = mount(SchemaComposer, {
        target: element,
        props: {
          ui,
          get context() {
            return context
          },
          get value() {
            return valueOf(context.draft, context.turn)
          },
          get options() {
            return answerParts(context.turn.schema) ? [] : listed(context.turn.options)
          },
        },
      })
      return {
        update: (next) => (context = next),
        destroy: () => void unmount(drawn),
      }
    },
  })
}

function valueOf(draft: Json, { options, schema }: ComposerContext['turn']): Json {
  const parts = answerParts(schema)
  if (parts) return draft ?? unanswered(parts, (part) => blank(part, schema))
  return draft ?? listed(options)[0] ?? blank(schema, schema)
}

/** The legal actions, where they are few enough to choose from. */
function listed(options: readonly Json[] | null): readonly Json[] {
  return options !== null && options.length <= LISTED ? options : []
}
