import type { JournalEvent } from './event.ts'
import { isSealed, type JournalLine } from './journal-lines.ts'

/** The end of a journal when it was last seen. Covers the whole journal, because each line pins the lines before it. */
export interface JournalHead {
  readonly size: number
  readonly lines: number
  /** Hashes of the lines that no event has pinned yet. */
  readonly tips: readonly string[]
}

export interface ChainFault {
  readonly message: string
  /** Hashes of invalid lines; a person can write them off (`ken accept`). */
  readonly lines: readonly string[]
}

/** The lines that no other line pins, in order: the next event must pin them. */
export function looseLines(lines: readonly JournalLine[]): string[] {
  const pinned = pinnedBy(lines)
  return [...new Set(lines.map((line) => line.sha256))].filter((sha256) => !pinned.has(sha256))
}

export const headOf = (lines: readonly JournalLine[], size: number): JournalHead => ({
  size,
  lines: lines.length,
  tips: looseLines(lines),
})

/** Breaks in the chain. `known` are hashes that were seen here before and are therefore valid. */
export function chainFaults(lines: readonly JournalLine[], known: ReadonlySet<string>): ChainFault[] {
  const given = givenUp(lines)
  const present = new Set(lines.map((line) => line.sha256))
  const gone = [...pinnedBy(lines)].filter(([sha256]) => !present.has(sha256) && !given.has(sha256))
  const strange = [...new Set([...strangeLines(lines, known), ...unsealedLines(lines)])].filter(
    (at) => !given.has(lines[at]!.sha256),
  )
  return [
    ...gone.map(([sha256, event]) => ({
      message: `a line that the event ${event.id} of ${event.at} stands on was changed or is gone`,
      lines: [sha256],
    })),
    ...strange.map((at) => ({ message: `line ${at + 1} was changed, or put in between`, lines: [lines[at]!.sha256] })),
    ...twins(lines).filter(({ lines: same }) => !same.every((sha256) => given.has(sha256))),
  ]
}

/** Hashes of lines that a person accepted as lost or as they are. */
export function givenUp(lines: readonly JournalLine[]): Set<string> {
  return new Set(
    lines.flatMap(({ event }) => {
      const given = event?.operation === 'accept' ? event.facts['gave_up'] : undefined
      return Array.isArray(given) ? given.filter((item) => typeof item === 'string') : []
    }),
  )
}

function pinnedBy(lines: readonly JournalLine[]): Map<string, JournalEvent> {
  return new Map(lines.flatMap(({ event }) => (event?.pins ?? []).map((sha256) => [sha256, event!] as const)))
}

/**
 * Unpinned lines before the last chained event, although every chained event pins all loose lines when it is written.
 * Excludes chained lines, because one may end a branch that git merged line by line.
 */
function strangeLines(lines: readonly JournalLine[], known: ReadonlySet<string>): number[] {
  const pinned = pinnedBy(lines)
  const last = lines.findLastIndex(({ event }) => event?.pins !== undefined)
  return [...lines.slice(0, Math.max(last, 0)).keys()].filter((at) => {
    const { sha256, event } = lines[at]!
    return !pinned.has(sha256) && !known.has(sha256) && event?.pins === undefined
  })
}

/** Chained events with a broken or missing seal, and lines that are no longer an event but still have a seal. */
const unsealedLines = (lines: readonly JournalLine[]): number[] =>
  [...lines.keys()].filter((at) => (isSealed(lines[at]!.text) ?? lines[at]!.event?.pins === undefined) === false)

function twins(lines: readonly JournalLine[]): ChainFault[] {
  const byId = Map.groupBy(
    lines.filter(({ event }) => event !== undefined),
    ({ event }) => event!.id,
  )
  return [...byId]
    .map(([id, same]) => ({
      message: `several different lines have the event id ${id}`,
      lines: [...new Set(same.map((line) => line.sha256))],
    }))
    .filter((fault) => fault.lines.length > 1)
}
