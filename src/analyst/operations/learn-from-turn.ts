import type { Given } from '../../operations/context.ts'
import { learnFromChat, type Learned } from '../learn-from-chat.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { AskedTurn } from './asked-turn.ts'
import { memorySwitches } from './memory-switches.ts'

/** Learns from the last message of a chat while it is answered, without delaying the answer. */
export async function learnFromTurn(
  ctx: Given<'context' | 'record'>,
  { chat, answerer, isPerson }: Pick<AskedTurn, 'chat' | 'answerer' | 'isPerson'>,
  state: AnalystState,
): Promise<Learned> {
  if (!isPerson || !(await memorySwitches(ctx)).learns) return { parts: [], refused: [] }
  const model = answerer?.kind === 'model' ? answerer.model : undefined
  const embedder = await ctx.bundledEmbedder().catch(() => undefined)
  return learnFromChat(
    { state, clock: ctx.clock, model, embedder, signal: ctx.signal ?? new AbortController().signal },
    { user: ctx.user, project: chat.project, chat: chat.id },
  )
}
