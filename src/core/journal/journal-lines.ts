import type { JournalEvent } from './event.ts'

/** One line as it stands in the journal, without its line end. */
export interface JournalLine {
  /** Of the exact bytes. */
  readonly sha256: string
  /** Undefined for lines of other programs and for damaged ones. */
  readonly event: JournalEvent | undefined
  /** False for a line that is no JSON at all. */
  readonly readable: boolean
}

export const formatEvent = (event: JournalEvent): string => `${JSON.stringify(event)}\n`

export function parseEvent(line: string): JournalEvent | undefined {
  const value = parseLine(line)
  return isEvent(value) ? value : undefined
}

export function toLine(text: string, sha256: string): JournalLine {
  const value = parseLine(text)
  return { sha256, event: isEvent(value) ? value : undefined, readable: value !== undefined }
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
  const { id, at, operation, files, facts, after, pins } = value as Partial<Record<keyof JournalEvent, unknown>>
  if (typeof id !== 'string' || typeof at !== 'string' || typeof operation !== 'string') return false
  return isRecord(files) && isRecord(facts) && isList(after ?? []) && isList(pins ?? [])
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
