import { decisionPath } from '../../../domain/files.ts'
import type { SnapshotInfo } from '../../../domain/snapshot/snapshot.ts'
import type { CacheDatabase } from '../../cache-database.ts'

/**
 * The contents of the snapshots, cached so that the next snapshot reads only files changed since the last. Part of the
 * index database because that has the hash of every decision on disk: a snapshot must capture exactly the decisions
 * whose hashes differ.
 */
export interface SnapshotCache {
  /** The end of the pack with this stamp; undefined if the pack has changed since. */
  tail(stamp: string): PackTail | undefined
  /** Paths of decisions that differ from the last snapshot. */
  changedDecisions(): string[]
  /** Paths of the other files of the last snapshot. */
  otherFiles(): string[]
  /** The hash of a file in the last snapshot. */
  hashOf(path: string): string | undefined
  /** Totals of all decisions on disk that are text. */
  decisionsOnDisk(): { readonly characters: number; readonly count: number }
  /** Stores the files that a snapshot changed, with null for deleted files, and the new end of the pack. */
  captured(hashes: ReadonlyMap<string, string | null>, stamp: string, tail: PackTail): void
  /** Replaces everything: from now on these files are the contents of the last snapshot. */
  replace(hashes: ReadonlyMap<string, string>): void
  /** A cached plain-file snapshot; null for a damaged one, undefined for one not read yet. */
  plain(name: string, stamp: string): SnapshotInfo | null | undefined
  /** Never throws: an uncached entry is read again. */
  rememberPlain(name: string, stamp: string, info: SnapshotInfo | null): void
}

export interface PackTail {
  readonly version: number
  /** Bytes of the last standalone entry, and of the deltas after it. */
  readonly whole: number
  readonly since: number
}

export function openSnapshotCache(cache: CacheDatabase): SnapshotCache {
  const remember = (path: string, hash: string | null): void => {
    if (path.startsWith('decisions/')) {
      cache.run(
        'INSERT INTO files (stem, captured, generation) VALUES (?, ?, 0) ON CONFLICT (stem) DO UPDATE SET captured = excluded.captured',
        stemOf(path),
        hash,
      )
    } else if (hash === null) cache.run('DELETE FROM captured WHERE path = ?', path)
    else cache.run('INSERT OR REPLACE INTO captured VALUES (?, ?)', path, hash)
  }

  return {
    tail(stamp) {
      const [known] = cache.rows('SELECT version, whole, since FROM pack WHERE stamp = ?', stamp) as [
        number,
        number,
        number,
      ][]
      return known && { version: known[0], whole: known[1], since: known[2] }
    },
    changedDecisions: () =>
      cache.rows('SELECT stem FROM files WHERE captured IS NOT hash').map(([stem]) => decisionPath(stem as string)),
    otherFiles: () => cache.rows('SELECT path FROM captured').map(([path]) => path as string),
    hashOf(path) {
      const [row] = path.startsWith('decisions/')
        ? cache.rows('SELECT captured FROM files WHERE stem = ?', stemOf(path))
        : cache.rows('SELECT hash FROM captured WHERE path = ?', path)
      return (row?.[0] as string | null | undefined) ?? undefined
    },
    decisionsOnDisk() {
      const [[characters, count]] = cache.rows(
        'SELECT coalesce(sum(points), 0), count(*) FROM files WHERE hash IS NOT NULL',
      ) as [[number, number]]
      return { characters, count }
    },
    captured: (hashes, stamp, { version, whole, since }) =>
      cache.transaction(() => {
        for (const [path, hash] of hashes) remember(path, hash)
        cache.run('INSERT OR REPLACE INTO pack VALUES (1, ?, ?, ?, ?)', stamp, version, whole, since)
      }),
    replace: (hashes) =>
      cache.transaction(() => {
        cache.run('DELETE FROM captured')
        cache.run('UPDATE files SET captured = NULL WHERE captured IS NOT NULL')
        for (const [path, hash] of hashes) remember(path, hash)
      }),
    plain(name, stamp) {
      const [row] = cache.rows('SELECT facts FROM shelf WHERE name = ? AND stamp = ?', name, stamp) as [string | null][]
      return row === undefined ? undefined : row[0] === null ? null : (JSON.parse(row[0]) as SnapshotInfo)
    },
    rememberPlain(name, stamp, info) {
      try {
        cache.run(
          'INSERT INTO shelf VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, facts = excluded.facts',
          name,
          stamp,
          info === null ? null : JSON.stringify(info),
        )
      } catch {
        return
      }
    },
  }
}

const stemOf = (path: string): string => path.slice('decisions/'.length, -'.md'.length)
