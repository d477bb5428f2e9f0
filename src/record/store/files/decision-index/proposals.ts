import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { READ_PLAIN } from '../../../../kernel/system/plain-file.ts'
import { type Identities, IdentityLog } from '../../../domain/journal/decision-identity.ts'
import { followProposals } from '../../../domain/journal/decision-trust.ts'
import { parseEvent } from '../../../domain/journal/journal-lines.ts'
import type { CacheDatabase } from '../../cache-database.ts'
import { stampOf } from '../record-file.ts'

export interface Proposals {
  /** The stems of decisions that no person has accepted yet. */
  readonly stems: ReadonlySet<string>
  /** Current and former names of decisions, read on first use. */
  identities(): () => Identities
  /** Reads new lines of the journal; only checks its stamp if nothing changed. True if `stems` may have changed. */
  refresh(): boolean
}

const CHUNK = 1 << 20
/** Stamps of missing files and of files that are not opened. */
const UNREAD = new Set(['none', 'link', 'special'])
// Longer lines are not our events; an endless line must not be kept in memory.
const LONGEST_LINE = 8 << 20
// Shows whether the part already read is unchanged.
const MARK = 64

/** Derived from the journal at `path` and cached, so that a journal is read once, and later only its new lines. */
export function openProposals(path: string, cache: CacheDatabase): Proposals {
  let stems: ReadonlySet<string> = new Set()
  let known: string | undefined

  function load(stamp: string): ReadonlySet<string> {
    const [row] = cache.rows('SELECT stamp, read, mark FROM journal') as [string, number, string][]
    const stored = () => new Set(cache.rows('SELECT stem FROM proposed').map(([stem]) => stem as string))
    if (row?.[0] === stamp) return stored()
    const before =
      row !== undefined && inode(row[0]) === inode(stamp)
        ? { read: row[1], mark: row[2], proposed: stored, identities: () => storedIdentities(cache) }
        : undefined
    const after = readJournal(path, before)
    cache.transaction(() => {
      storeIdentities(cache, after)
      const written = stored()
      for (const stem of written) if (!after.proposed.has(stem)) cache.run('DELETE FROM proposed WHERE stem = ?', stem)
      for (const stem of after.proposed) if (!written.has(stem)) cache.run('INSERT INTO proposed VALUES (?)', stem)
      cache.run(
        'INSERT INTO journal VALUES (1, ?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, read = excluded.read, mark = excluded.mark',
        stamp,
        after.read,
        after.mark,
      )
    })
    return after.proposed
  }

  return {
    get stems() {
      return stems
    },
    identities() {
      const at = known
      let read: Identities | undefined
      // A later change belongs to a later view; if this view has not read its names yet, newer ones do as well.
      return () => (read ??= at === undefined || UNREAD.has(at) ? NOTHING : storedIdentities(cache))
    },
    refresh() {
      const stamp = lstatSync(dirname(path), { throwIfNoEntry: false })?.isSymbolicLink()
        ? 'none'
        : (stampOf(path) ?? 'none')
      if (stamp === known) return false
      stems = UNREAD.has(stamp) ? new Set() : load(stamp)
      known = stamp
      return true
    },
  }
}

const NOTHING: Identities = { ids: new Map(), moved: [], highest: 0 }

const storedIdentities = (cache: CacheDatabase): Identities => ({
  ids: new Map(cache.rows('SELECT stem, id FROM identities') as [string, string][]),
  moved: (cache.rows('SELECT num, id, at FROM moved ORDER BY place') as [number, string, string][]).map(
    ([num, id, at]) => ({ num, id, at }),
  ),
  highest: cache.number('highest_given'),
})

function storeIdentities(cache: CacheDatabase, { identities, isNew }: Reading): void {
  if (isNew) {
    cache.run('DELETE FROM identities')
    cache.run('DELETE FROM moved')
  }
  for (const stem of identities.changed)
    cache.run(
      'INSERT INTO identities VALUES (?, ?) ON CONFLICT DO UPDATE SET id = excluded.id',
      stem,
      identities.ids.get(stem)!,
    )
  const stored = cache.rows('SELECT count(*) FROM moved')[0]![0] as number
  for (const [i, { num, id, at }] of identities.moved.slice(stored).entries())
    cache.run('INSERT INTO moved VALUES (?, ?, ?, ?)', stored + i, num, id, at)
  cache.setNumber('highest_given', identities.highest)
}

const inode = (stamp: string): string => stamp.slice(stamp.lastIndexOf('.') + 1)

interface Reading {
  /** Bytes, up to the end of a line. */
  readonly read: number
  readonly mark: string
  readonly proposed: Set<string>
  readonly identities: IdentityLog
  /** True if the journal was read from its beginning. */
  readonly isNew: boolean
}

function readJournal(
  path: string,
  before: { read: number; mark: string; proposed: () => Set<string>; identities: () => Identities } | undefined,
): Reading {
  const file = openSync(path, READ_PLAIN)
  try {
    const { size } = fstatSync(file)
    const goesOn = before !== undefined && before.read <= size && markBefore(file, before.read) === before.mark
    const known = {
      proposed: goesOn ? before.proposed() : new Set<string>(),
      identities: new IdentityLog(goesOn ? before.identities() : undefined),
    }
    let read = goesOn ? before.read : 0
    let rest: Buffer = Buffer.alloc(0)
    for (let at = read; at < size;) {
      const chunk = Buffer.alloc(Math.min(CHUNK, size - at))
      const length = readSync(file, chunk, 0, chunk.length, at)
      if (length === 0) break
      at += length
      rest = Buffer.concat([rest, chunk.subarray(0, length)])
      const end = rest.lastIndexOf(0x0a) + 1
      followLines(known, rest.subarray(0, end))
      read += end
      rest = rest.subarray(end)
      if (rest.length > LONGEST_LINE) {
        read += rest.length
        rest = Buffer.alloc(0)
      }
    }
    // A line without a line end was interrupted or is still being written; it counts for now and is read again.
    followLines(known, rest)
    return { read, mark: markBefore(file, read), ...known, isNew: !goesOn }
  } finally {
    closeSync(file)
  }
}

function followLines(known: { proposed: Set<string>; identities: IdentityLog }, lines: Buffer): void {
  const events = lines
    .toString('utf8')
    .split('\n')
    .flatMap((line) => parseEvent(line) ?? [])
  followProposals(known.proposed, events)
  known.identities.follow(events)
}

function markBefore(file: number, position: number): string {
  const bytes = Buffer.alloc(Math.min(MARK, position))
  readSync(file, bytes, 0, bytes.length, position - bytes.length)
  return bytes.toString('base64')
}
