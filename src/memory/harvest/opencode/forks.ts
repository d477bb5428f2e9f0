import { messageKey } from './conversation.ts'
import type { StoredMessage } from './stored-session.ts'

/** Fork of a session: begins with copies of its parent's messages and does not name the parent. */
export interface Fork {
  readonly parent: string
  readonly messages: number
}

export interface Elder {
  readonly id: string
  load(): Promise<readonly StoredMessage[]>
}

/** The earlier session that shares the most leading messages; if equal, the first. */
export async function findFork(messages: readonly StoredMessage[], elders: readonly Elder[]): Promise<Fork | null> {
  const keys = messages.map(messageKey)
  let best: Fork | null = null
  for (const elder of elders) {
    const theirs = (await elder.load()).map(messageKey)
    const differs = keys.findIndex((key, i) => key !== theirs[i])
    const shared = differs === -1 ? keys.length : differs
    if (shared > (best?.messages ?? 0)) best = { parent: elder.id, messages: shared }
  }
  return best
}
