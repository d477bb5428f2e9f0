import type { Injected } from './domain/chat/part.ts'
import { memoryText, pickMemories } from './domain/user-memory/pick-memories.ts'
import type { UserMemories } from './ports/user-memories.ts'

export interface TurnMemories {
  /** A part of the system prompt; empty if nothing is remembered. */
  readonly text: string
  /** The memories in `text`, to be shown on the answer. */
  readonly injected: Injected['memories']
  /** Number of active memories that did not fit. */
  readonly left: number
}

/**
 * Memories of the user for one turn: those for all projects and for this one, under 1,000 tokens, without those learned
 * in this chat.
 */
export async function memoriesForTurn(
  memories: Pick<UserMemories, 'active'>,
  { user, project, chat }: { readonly user: string; readonly project?: string; readonly chat?: string },
): Promise<TurnMemories> {
  const { picked, left } = pickMemories(await memories.active(user, project), { chat })
  return {
    text: memoryText(picked),
    injected: picked.map(({ id, content, category }) => ({ id, content, category })),
    left,
  }
}
