import { z } from 'zod'
import { LIMITS, textFault } from '../../core/decision/screening.ts'
import { AppError } from '../../core/errors.ts'
import { STATE, STATE_HISTORY, STATE_LEGACY } from '../../core/record/files.ts'
import { updateState as changeState } from '../../core/state/state.ts'
import { head } from '../../core/text.ts'
import { plainText } from '../../core/trust/visible.ts'
import { bringsBack, bringsBackField, bringsBackText } from '../../record/brings-back.ts'
import { refreshAgentsMd } from '../../record/refresh-agents-md.ts'
import { defineOperation, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const updateState = defineOperation({
  name: 'update_state',
  title: 'Update the current state',
  summary: 'Replace the current state with what is true now; the previous one goes to the history.',
  effect: 'write',
  words: 'record',
  positional: ['delta'],
  input: {
    delta: z.string().describe('What is true now, e.g. "v0.2.0 runs on staging; the import is next".'),
    ...projectField,
  },
  output: {
    ...recordFields,
    status: z.enum(['ok', 'noop']),
    warning: z.string().optional(),
    brings_back: bringsBackField.optional(),
  },
  examples: [{ title: 'Progress', input: { delta: 'v0.2.0 runs on staging.' } }],
  async run(ctx, input) {
    const delta = plainText(input.delta)
    const fault = textFault('state', delta, LIMITS.delta)
    if (fault !== undefined)
      throw new AppError('invalid_input', fault, { hint: 'Keep the state to what the next session needs.' })
    const store = await ctx.record(input.project_id)
    const answer = await store.commit(ctx.origin, async (draft) => {
      const [current, history, legacy] = await Promise.all([
        draft.read(STATE),
        draft.read(STATE_HISTORY),
        draft.read(STATE_LEGACY),
      ])
      const change = changeState({ current, history, legacy }, delta, ctx.clock.now())
      if (change.status === 'noop') return { ...whose(store), status: 'noop' as const }
      draft.write(STATE, change.current)
      if (change.history !== undefined) draft.write(STATE_HISTORY, change.history)
      draft.note('update_state', {})
      draft.snapshot(`state: ${head(delta, 80)}`)
      return {
        ...whose(store),
        status: 'ok' as const,
        ...(change.warning === undefined ? {} : { warning: change.warning }),
      }
    })
    await refreshAgentsMd(ctx, store)
    const back = answer.status === 'ok' ? await bringsBack(store, delta) : undefined
    return { ...answer, ...(back && { ...whose(store, back), brings_back: back }) }
  },
  own(output) {
    if (output.status === 'noop') return 'There is no state file to update. Run `ken init` first.'
    return output.warning === undefined ? 'State updated.' : `State updated. ${output.warning}`
  },
  render: (output) => bringsBackText(output.brings_back),
})
