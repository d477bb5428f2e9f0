/** What was typed and not sent, by chat; nothing of it is ever lost by going elsewhere. */
export const readDraft = (project: string, chat: string): string => read(draftKey(project, chat)) ?? ''

export function keepDraft(project: string, chat: string, text: string): void {
  write(draftKey(project, chat), text.trim() === '' ? undefined : text)
}

export interface Queued {
  readonly id: string
  readonly text: string
  /** As data: URLs; they are not kept over a reload, because they are large. */
  readonly images: readonly string[]
}

/** Questions that wait until the answer before them is there. */
export function readQueue(project: string, chat: string): readonly Queued[] {
  try {
    const kept = JSON.parse(read(queueKey(project, chat)) ?? '[]') as unknown
    if (!Array.isArray(kept)) return []
    return kept.flatMap((one: unknown) => {
      const { id, text } = (one ?? {}) as { id?: unknown; text?: unknown }
      return typeof id === 'string' && typeof text === 'string' ? [{ id, text, images: [] }] : []
    })
  } catch {
    return []
  }
}

export function keepQueue(project: string, chat: string, queue: readonly Queued[]): void {
  const kept = queue.map(({ id, text }) => ({ id, text }))
  write(queueKey(project, chat), kept.length === 0 ? undefined : JSON.stringify(kept))
}

const draftKey = (project: string, chat: string): string => `ken.draft.ask.${project}.${chat}`
const queueKey = (project: string, chat: string): string => `ken.queue.ask.${project}.${chat}`

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** A browser that keeps nothing, or is full, loses drafts on a reload and nothing else. */
function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // See above.
  }
}
