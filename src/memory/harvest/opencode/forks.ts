import { messageKey } from './conversation.ts'
import type { StoredMessage } from './stored-session.ts'

/** A fork begins with copies of its parent's messages and does not say whose they are. */
export interface Fork {
  readonly parent: string
  readonly messages: number
}

export interface Elder {
  readonly id: string
  load(): Promise<readonly StoredMessage[]>
}

/** The elder session that shares the most leading messages; of equals the first. */
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
