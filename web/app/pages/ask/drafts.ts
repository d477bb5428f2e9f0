import { keep, keepTyped, kept, keptTyped, readKept } from '../../kit/kept-text.ts'

/** Unsent text, by chat; it survives navigation. */
export const readDraft = (project: string, chat: string): string => keptTyped(draftKey(project, chat)) ?? ''

export function keepDraft(project: string, chat: string, text: string): void {
  keepTyped(draftKey(project, chat), text.trim() === '' ? undefined : text)
}

/** The first question of a chat during sending; it survives a failure and a reload. */
export const readSending = (project: string): string | undefined => kept(sendingKey(project))

export function keepSending(project: string, text: string): void {
  keep(sendingKey(project), text === '' ? undefined : text)
}

export interface Queued {
  readonly id: string
  readonly text: string
  /** Data URLs; not stored across a reload, because they are large. */
  readonly images: readonly string[]
}

/** Questions queued until the previous answer is complete. */
export function readQueue(project: string, chat: string): readonly Queued[] {
  const all = readKept(kept(queueKey(project, chat)))
  if (!Array.isArray(all)) return []
  return all.flatMap((one: unknown) => {
    const { id, text } = (one ?? {}) as { id?: unknown; text?: unknown }
    return typeof id === 'string' && typeof text === 'string' ? [{ id, text, images: [] }] : []
  })
}

export function keepQueue(project: string, chat: string, queue: readonly Queued[]): void {
  const texts = queue.map(({ id, text }) => ({ id, text }))
  keep(queueKey(project, chat), texts.length === 0 ? undefined : JSON.stringify(texts))
}

const draftKey = (project: string, chat: string): string => `ken.draft.ask.${project}.${chat}`
const sendingKey = (project: string): string => `ken.sending.ask.${project}`
const queueKey = (project: string, chat: string): string => `ken.queue.ask.${project}.${chat}`
