import { sha256 } from '../sha256.ts'
import type { JournalEvent } from './event.ts'
import { formatEvent, parseEvent } from './journal-lines.ts'

/**
 * Joins two journals: every event once, by time. Where both have gone on since they parted, an event names the two ends, so that
 * later ones stand on both. All clones make the same event out of the same two ends.
 */
export function mergeJournals(ours: string, theirs: string): string {
  const [mine, yours] = [entriesOf(ours), entriesOf(theirs)]
  const all = new Map([...mine, ...yours].map((entry) => [entry.key, entry]))
  // Stable, so that events of one moment keep the order they were written in.
  const lines = [...all.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ line }) => `${line}\n`)
  const join = joinOf(mine, yours)
  return lines.join('') + (join === undefined || all.has(join.id) ? '' : formatEvent(join))
}

interface Entry {
  readonly key: string
  readonly line: string
  readonly at: string
  readonly event: JournalEvent | undefined
}

function joinOf(mine: readonly Entry[], yours: readonly Entry[]): JournalEvent | undefined {
  const [my, your] = [mine, yours].map((entries) => entries.findLast(({ event }) => event !== undefined)?.event)
  if (my === undefined || your === undefined || holds(mine, your) || holds(yours, my)) return undefined
  const after = [my.id, your.id].sort()
  return {
    event_version: 1, id: uuidOf(after.join(' ')), at: my.at > your.at ? my.at : your.at, operation: 'join', origin: { surface: 'merge' },
    facts: {}, files: {}, after,
  }
}

const holds = (entries: readonly Entry[], event: JournalEvent): boolean => entries.some(({ key }) => key === event.id)

/** Lines of other programs, and damaged ones, stay with the event before them. */
function entriesOf(text: string): Entry[] {
  let at = ''
  return text.split('\n').filter((line) => line.trim() !== '').map((line) => {
    const event = parseEvent(line)
    at = event?.at ?? at
    return { key: event?.id ?? line, line, at, event }
  })
}

function uuidOf(text: string): string {
  const hex = sha256(text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
