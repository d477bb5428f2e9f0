import type { Context } from '../../operations/context.ts'
import type { ChatMessage } from '../domain/chat/chat.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { ModelCall } from '../ports/model-calls.ts'

/** Stores the duration and cost of one request of a turn. */
export const keepCall = (
  ctx: Pick<Context, 'clock' | 'user'>,
  state: Pick<AnalystState, 'calls'>,
  {
    answer,
    ...call
  }: Pick<ModelCall, 'purpose' | 'model' | 'usage' | 'milliseconds' | 'failed' | 'project'> & { answer: ChatMessage },
): Promise<void> =>
  state.calls.keep({
    ...call,
    id: ctx.clock.ulid(),
    user: ctx.user,
    chat: answer.chat,
    message: answer.id,
    at: ctx.clock.now().toISOString(),
  })
