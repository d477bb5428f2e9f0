import { sha256 } from '../../../kernel/domain/sha256.ts'
import { hasConflictMarkers, withoutMarkers } from '../conflict-markers.ts'
import { looseLines } from './chain.ts'
import type { JournalEvent } from './event.ts'
import { formatEvent, toLine, type JournalLine } from './journal-lines.ts'

/**
 * Merges two journals: every line once, by time. If both have continued since they diverged, an event names the two
 * ends and pins every loose line, so that later events build on both. The result has the same bytes in every clone,
 * whichever journal is ours.
 */
export function mergeJournals(ours: string, theirs: string): string {
  const [mine, yours] = [entriesOf(ours), entriesOf(theirs)]
  const all = inOrder([...mine, ...yours])
  const whole = [mine, yours]
    .filter((side) => holdsAll(side, all))
    .map(textOf)
    .sort()[0]
  if (whole !== undefined) return whole
  const [my, your] = [lastEvent(mine), lastEvent(yours)]
  const join = my === undefined || your === undefined ? undefined : joinOf(my, your, all)
  return textOf(all) + (join === undefined ? '' : formatEvent(join))
}

/**
 * Repairs a journal that git merged as text without Ken: every line once and in time order, no conflict markers, and an
 * event for each pair of ends, as `mergeJournals` would produce for the same branches. Undefined if there is nothing to
 * merge, or if parent lines are missing, which is damage and not a merge.
 */
export function rejoinJournal(text: string): string | undefined {
  const entries = entriesOf(withoutMarkers(text))
  const lines = new Set(entries.map(({ sha256: hash }) => hash))
  if (entries.some(({ event }) => event?.pins?.some((pin) => !lines.has(pin)))) return undefined
  const ends = looseEvents(entries)
  if (ends.length > MOST_ENDS) return undefined
  const [first, ...others] = ends.toSorted((a, b) => compare(a.id, b.id))
  if (others.length === 0 && lines.size === entries.length && !hasConflictMarkers(text)) return undefined
  const all = inOrder(entries)
  let end = first
  for (const other of others) {
    end = joinOf(end!, other, all) ?? other
    all.push(...entriesOf(formatEvent(end)))
  }
  return textOf(all)
}

// More branches than anyone merges at once; limited because the work grows with their number.
const MOST_ENDS = 64

/** Ends of branches: events without a child. Normally one; more are unmerged branches. */
export function looseEvents(lines: readonly JournalLine[]): JournalEvent[] {
  const loose = new Set(looseLines(lines))
  const ends = lines.filter(({ sha256: hash, event }) => event?.pins !== undefined && loose.has(hash))
  return [...new Map(ends.map(({ event }) => [event!.id, event!])).values()]
}

/** Events by time, but never before their parents; ties keep the given order. */
export function eventsInOrder(events: readonly JournalEvent[]): JournalEvent[] {
  const entries = events.map((event, at): Entry => {
    const time = Date.parse(event.at)
    const place = String(at).padStart(9, '0')
    return {
      event,
      text: place,
      sha256: place,
      readable: true,
      at: Number.isNaN(time) ? '' : new Date(time).toISOString(),
      // An event without parents was written before events named them, so it follows the previous one.
      behind: event.after === undefined && at > 0 ? String(at - 1).padStart(9, '0') : undefined,
    }
  })
  return inOrder(entries).map(({ event }) => event!)
}

const textOf = (entries: readonly Entry[]): string => entries.map(({ text }) => `${text}\n`).join('')

interface Entry extends JournalLine {
  readonly at: string
  /** Hash of the preceding event, for a line that names no parents. */
  readonly behind: string | undefined
}

const lastEvent = (entries: readonly Entry[]): JournalEvent | undefined =>
  entries.findLast(({ event }) => event !== undefined)?.event

function joinOf(my: JournalEvent, your: JournalEvent, all: readonly Entry[]): JournalEvent | undefined {
  const after = [...new Set([my.id, your.id])].sort()
  const pins = looseLines(all).sort()
  const id = uuidOf(after.join(' '))
  if (all.some(({ event }) => event?.id === id)) return undefined
  return {
    event_version: 1,
    id,
    at: my.at > your.at ? my.at : your.at,
    operation: 'join',
    origin: { surface: 'merge' },
    facts: {},
    files: {},
    after,
    pins,
  }
}

const holdsAll = (side: readonly Entry[], all: readonly Entry[]): boolean => {
  const held = new Set(side.map((entry) => entry.sha256))
  return all.every((entry) => held.has(entry.sha256))
}

/**
 * In time order, but never before a line's parents; ties are settled by the text, so that neither side is preferred.
 */
function inOrder(entries: readonly Entry[]): Entry[] {
  const lines = new Map<string, Entry>()
  for (const entry of entries) {
    const other = lines.get(entry.sha256)
    if (other === undefined || compare(entry.at + (entry.behind ?? ''), other.at + (other.behind ?? '')) < 0)
      lines.set(entry.sha256, entry)
  }
  const byId = Map.groupBy(lines.values(), (entry) => entry.event?.id)
  const under = (entry: Entry): Entry[] => [
    ...(entry.event?.pins ?? []).flatMap((hash) => lines.get(hash) ?? []),
    ...(entry.event?.after ?? []).flatMap((id) => byId.get(id) ?? []),
    ...(entry.behind === undefined ? [] : [lines.get(entry.behind)!]),
  ]
  const placed = new Set<Entry>()
  const order: Entry[] = []
  for (const start of [...lines.values()].sort((a, b) => compare(a.at, b.at) || compare(a.text, b.text)))
    place(start, { under, placed, order })
  return order
}

// Uses an explicit stack: a journal is as deep as it is long.
function place(
  start: Entry,
  { under, placed, order }: { under: (entry: Entry) => Entry[]; placed: Set<Entry>; order: Entry[] },
): void {
  const waiting: { entry: Entry; opened: boolean }[] = [{ entry: start, opened: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { entry, opened } = next
    if (opened) order.push(entry)
    if (opened || placed.has(entry)) continue
    placed.add(entry)
    waiting.push(
      { entry, opened: true },
      ...under(entry)
        .filter((below) => !placed.has(below))
        .sort((a, b) => compare(b.at, a.at) || compare(b.text, a.text))
        .map((below) => ({ entry: below, opened: false })),
    )
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Lines of other programs, and damaged ones, stay with the event before them. */
function entriesOf(text: string): Entry[] {
  let [at, behind]: [string, string | undefined] = ['', undefined]
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const read = toLine(line, sha256(line))
      at = read.event?.at ?? at
      const entry = { ...read, at, behind: read.event === undefined ? behind : undefined }
      if (read.event !== undefined) behind = read.sha256
      return entry
    })
}

function uuidOf(text: string): string {
  const hex = sha256(text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
