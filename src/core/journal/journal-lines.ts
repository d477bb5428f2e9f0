import type { JournalEvent } from './event.ts'

export interface JournalReading {
  readonly events: readonly JournalEvent[]
  /** Lines that are no JSON at all. Events of other programs are neither read nor counted. */
  readonly unreadable: number
}

export function parseJournal(text: string): JournalReading {
  const events: JournalEvent[] = []
  let unreadable = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const value = parseLine(line)
    if (value === undefined) unreadable++
    else if (isEvent(value)) events.push(value)
  }
  return { events, unreadable }
}

export const formatEvent = (event: JournalEvent): string => `${JSON.stringify(event)}\n`

export function parseEvent(line: string): JournalEvent | undefined {
  const value = parseLine(line)
  return isEvent(value) ? value : undefined
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

function isEvent(value: unknown): value is JournalEvent {
  if (typeof value !== 'object' || value === null) return false
  const { id, at, operation, files } = value as Partial<Record<keyof JournalEvent, unknown>>
  return typeof id === 'string' && typeof at === 'string' && typeof operation === 'string' && typeof files === 'object' && files !== null
}
