import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { JournalEvent } from './event.ts'

/** One line of the journal, without its line break. */
export interface JournalLine {
  readonly text: string
  /** Hash of the exact bytes. */
  readonly sha256: string
  /** Undefined for lines of other programs and for damaged ones. */
  readonly event: JournalEvent | undefined
  /** False for a line that is not JSON at all. */
  readonly readable: boolean
}

/**
 * Formats an event as a line that ends with the hash of everything before it, so that it can be verified before another
 * line pins it.
 */
export function formatEvent(event: JournalEvent): string {
  const body = JSON.stringify(event).slice(0, -1)
  return `${body},"seal":"${sha256(body)}"}\n`
}

/** Whether a line is byte for byte as it was written; undefined if it has no seal. */
export function isSealed(text: string): boolean | undefined {
  const seal = SEAL.exec(text)
  return seal === null ? undefined : sha256(text.slice(0, seal.index)) === seal[1]
}

const SEAL = /,"seal":"([0-9a-f]{64})"\}$/

export function parseEvent(line: string): JournalEvent | undefined {
  const value = parseLine(line)
  return isEvent(value) ? value : undefined
}

export function toLine(text: string, hash: string): JournalLine {
  const value = parseLine(text)
  return { text, sha256: hash, event: isEvent(value) ? value : undefined, readable: value !== undefined }
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
