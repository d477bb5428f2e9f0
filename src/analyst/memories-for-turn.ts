import type { Injected } from './domain/chat/part.ts'
import { memoryText, pickMemories } from './domain/user-memory/pick-memories.ts'
import type { UserMemories } from './ports/user-memories.ts'

export interface TurnMemories {
  /** A part of the system prompt; empty where nothing is remembered. */
  readonly text: string
  /** What stands in it, to be shown on the answer. */
  readonly injected: Injected['memories']
  /** How many hold and found no room. */
  readonly left: number
}

/**
 * What is remembered of the user, for one turn: what holds everywhere and what holds in this project, under 1,000
 * tokens, without what was learned in this very chat.
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
