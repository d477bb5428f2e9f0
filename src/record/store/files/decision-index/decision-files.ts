import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readPlainFile } from '../../../../kernel/system/plain-file.ts'
import { byNumber } from '../../../domain/decision/catalogue.ts'
import { decisionNumber } from '../../../domain/decision/decision-id.ts'
import { LARGEST_DECISION } from '../../../domain/decision/parse.ts'
import type { CacheDatabase } from '../../cache-database.ts'
import { type DecisionView, isWasteful, makeView } from '../../decision-view.ts'
import { openFileRows, type FileNews } from '../../file-rows.ts'
import { readDecisionBytes, unreadable } from '../../read-decision.ts'
import { isDatabaseFault, toRecordFailure } from '../record-failure.ts'
import { sizeIn, stampOf } from '../record-file.ts'
import { openFolderWatch, stampsOf } from './folder-watch.ts'
import { openProposals } from './proposals.ts'

export interface DecisionFiles {
  /** The decisions as they are on disk now; only files that changed are read. */
  view(): Promise<DecisionView>
  touched(stems: readonly string[]): Promise<void>
  renew(): Promise<void>
  close(): void
}

// Files per transaction; other tasks run after each.
const BATCH = 256
const PAUSE_EVERY = 16

/**
 * Keeps the cache in sync with decisions/ and, for the trust of decisions, with the journal. `now` in milliseconds
 * paces the sweeps.
 */
export function openDecisionFiles(root: string, cache: CacheDatabase, now: () => number): DecisionFiles {
  const folder = join(root, 'decisions')
  const watch = openFolderWatch(folder, now)
  const proposals = openProposals(join(root, 'journal', 'events.jsonl'), cache)
  let current: DecisionView | undefined
  const rows = openFileRows(cache, () => (current = undefined))
  let work: Promise<unknown> = Promise.resolve()

  async function absorb(stamps: Iterable<readonly [string, string | undefined]>): Promise<void> {
    const changed: (readonly [string, string | undefined])[] = []
    for (const pair of stamps) if (rows.known.get(pair[0])?.stamp !== pair[1]) changed.push(pair)
    // Documents numbered in catalogue order need no sorting in a ranking.
    changed.sort(([a], [b]) =>
      byNumber({ num: decisionNumber(a) ?? 0, stem: a }, { num: decisionNumber(b) ?? 0, stem: b }),
    )
    for (let from = 0; from < changed.length; from += BATCH) {
      const news: FileNews[] = []
      for (const [stem, stamp] of changed.slice(from, from + BATCH)) {
        news.push({ stem, found: stamp === undefined ? undefined : readFile(folder, stem, stamp) })
        if (news.length % PAUSE_EVERY === 0) await setImmediate()
      }
      rows.store(news)
    }
  }

  async function refresh(): Promise<void> {
    rows.load()
    if (proposals.refresh()) current = undefined
    const changed = await watch.changed()
    if (changed !== 'all')
      return absorb([...changed].map((name) => [name.slice(0, -3), stampOf(join(folder, name))] as const))
    const found = stampsOf(folder)
    const gone = [...rows.known.keys()].filter((stem) => !found.has(stem))
    await absorb(found)
    await absorb(gone.map((stem) => [stem, undefined] as const))
    if (isWasteful(cache, rows.known.size)) throw new WornOut()
  }

  async function renew(keep?: 'in memory'): Promise<void> {
    rows.clear()
    cache.reset(keep)
    rows.load()
    await absorb(stampsOf(folder))
  }

  /** Runs a step, and rebuilds the cache once if it is damaged or mostly unused. */
  async function renewing(step: () => Promise<void>): Promise<void> {
    try {
      await step().catch((error: unknown) => {
        if (!(error instanceof WornOut) && !isDatabaseFault(error)) throw error
        return renew().catch((again: unknown) => {
          // On a full disk, this process continues with a cache in memory.
          if (isDatabaseFault(again)) return renew('in memory')
          throw again
        })
      })
    } catch (error) {
      throw toRecordFailure(error, 'read decisions')
    }
  }

  // One at a time: a second caller waits for the first and then has little to do.
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const turn = work.then(step, step)
    work = turn.catch(() => undefined)
    return turn
  }

  return {
    view: () =>
      inTurn(async () => {
        await renewing(refresh)
        return (current ??= makeView(cache, rows.known, {
          proposed: proposals.stems,
          identities: proposals.identities(),
        }))
      }),
    touched: (stems) =>
      inTurn(() => renewing(() => absorb(stems.map((stem) => [stem, stampOf(join(folder, `${stem}.md`))] as const)))),
    renew: () => inTurn(() => renew()),
    close: () => watch.close(),
  }
}

/**
 * A disk error is not cached as a fault of the file: its stamp matches nothing, so the next call reads the file again.
 */
function readFile(folder: string, stem: string, stamp: string): NonNullable<FileNews['found']> {
  if (stamp === 'link') return { stamp, reading: unreadable(stem, 'is a symbolic link') }
  if (stamp === 'special') return { stamp, reading: unreadable(stem, 'is not a plain file') }
  // A character has up to four bytes.
  if (sizeIn(stamp) > 4 * LARGEST_DECISION)
    return { stamp, reading: unreadable(stem, 'the file is larger than 1 MB', 'size') }
  const bytes = readPlainFile(join(folder, `${stem}.md`), 4 * LARGEST_DECISION)
  return bytes === undefined
    ? { stamp: `unread ${stamp}`, reading: unreadable(stem, 'cannot be read') }
    : { stamp, reading: readDecisionBytes(stem, bytes) }
}

class WornOut extends Error {}
