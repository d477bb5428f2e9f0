import { setImmediate } from 'node:timers/promises'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import type { Embedder } from '../../../retrieval/ports/embedder.ts'
import type { VectorScan } from '../../../retrieval/ports/vector-scan.ts'
import { byNumber } from '../../domain/decision/catalogue.ts'
import { decisionNumber } from '../../domain/decision/decision-id.ts'
import { IdentityLog } from '../../domain/journal/decision-identity.ts'
import { followProposals } from '../../domain/journal/decision-trust.ts'
import { parseEvent } from '../../domain/journal/journal-lines.ts'
import { isListedFile, recordText } from '../../domain/record-path.ts'
import type { Ranking, RankQuery } from '../../ports/store.ts'
import { openMemoryCache } from '../cache-database.ts'
import { type DecisionView, isWasteful, makeView } from '../decision-view.ts'
import { type FileNews, openFileRows } from '../file-rows.ts'
import { readDecisionText, unreadable } from '../read-decision.ts'
import { openViewRanking } from '../view-ranking.ts'
import { changesSince, isApart, type RecordChanges, type RevisionNow } from './changes-since.ts'
import { currentTexts, openRevisionTexts, type RevisionTexts } from './current-files.ts'
import type { PlannedChange } from './planned-change.ts'
import type { RecordHead } from './record-head.ts'

export interface IndexParts {
  readonly database: SqlDatabase
  readonly project: string
  /** Milliseconds. */
  readonly now: () => number
  readonly embedder?: (() => Promise<Embedder | undefined>) | undefined
  readonly scan?: ((dimensions: number) => VectorScan) | undefined
}

/** The decisions of one record with their words and vectors, in memory. Safe to drop. */
export interface DecisionIndex {
  /** Number of decisions. */
  readonly size: number
  /**
   * The record at a moment after this call; reads only changes since the last call, and nothing if the record is known
   * to be at the revision of that call.
   */
  view(now?: RevisionNow): Promise<RecordView>
  /** The record after a change of this process, without reading it again; undefined if that cannot be said. */
  follow(change: PlannedChange): Promise<RecordView | undefined>
  /** Ranks the decisions of the given view, which must be a view of this index. */
  rank(query: RankQuery, view: RecordView): Promise<Ranking>
  close(): Promise<void>
}

export interface RecordView extends DecisionView {
  readonly head: RecordHead
  readonly texts: RevisionTexts
  /** Whether it is the path of a decision, and no file has it: known without a query. */
  isNoDecision(path: string): boolean
}

// A decision takes some 0.3 ms. Pauses depend on time, not on number: on a busy server all other tasks run during a
// pause, and with one every few decisions ten thousand of them took half a minute.
const TURN_MS = 20
const UNREAD = { revision: -1, rewritten: 0, place: 0 }

export function openDecisionIndex(parts: IndexParts): DecisionIndex {
  const { database, project } = parts
  const cache = openMemoryCache()
  let current: RecordView | undefined
  const rows = openFileRows(cache, () => (current = undefined))
  let proposed = new Set<string>()
  let identities = new IdentityLog()
  let known = UNREAD
  let texts = openRevisionTexts()
  rows.load()

  function startOver(rewritten: number): void {
    rows.clear()
    cache.reset()
    rows.load()
    proposed = new Set()
    identities = new IdentityLog()
    known = { ...UNREAD, rewritten }
    texts = openRevisionTexts()
  }

  const identitiesNow = () => {
    const now = identities
    return () => now
  }

  const viewAt = (head: RecordHead): RecordView => ({
    ...(current ?? makeView(cache, rows.known, { proposed, identities: identitiesNow() })),
    head,
    texts,
    isNoDecision: (path) => isDecisionFile(path) && !rows.known.has(stemOf(path)),
  })

  async function absorb({ files, lines }: Pick<RecordChanges, 'files' | 'lines'>): Promise<void> {
    const events = lines.flatMap(({ line }) => parseEvent(line) ?? [])
    if (events.length > 0) current = undefined
    followProposals(proposed, events)
    // A new object for every view, so that a view in use does not change.
    if (events.length > 0) identities = new IdentityLog(identities).follow(events)
    rows.store(await readNews(files))
  }

  /**
   * Reads up to the moment of its first page; returns true if that page contained everything, and is therefore from one
   * moment.
   */
  async function pass(): Promise<boolean> {
    let path = ''
    let first: RecordHead | undefined
    for (;;) {
      const found = await changesSince(database, project, { ...known, path })
      if (found === undefined) return true
      if (found.head.revision < known.revision) {
        // The project was deleted and created again, or restored from a backup.
        startOver(found.head.rewritten)
        ;[path, first] = ['', undefined]
        continue
      }
      if (found.head.rewritten !== known.rewritten) {
        startOver(found.head.rewritten)
        first = undefined
      }
      await absorb(found)
      texts = texts.after(found.files)
      first ??= found.head
      path = found.files.at(-1)?.path ?? '\u{10ffff}'
      known = { ...known, place: found.lines.at(-1)?.place ?? known.place }
      if (!found.isWhole) continue
      const isOne = found.head === first
      known = { ...known, revision: first.revision }
      current = viewAt(first)
      return isOne
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
  const view = freshOnce(() =>
    inTurn(async (): Promise<RecordView> => {
      if (isWasteful(cache, rows.known.size)) startOver(known.rewritten)
      while (!(await pass()));
      return current!
    }),
  )
  const follow = (change: PlannedChange) =>
    inTurn(async (): Promise<RecordView | undefined> => {
      const { from, to, journal } = change
      const isNext = known.revision === from.revision && known.rewritten === to.rewritten
      if (!isNext || known.place + 1 !== (journal.lines[0]?.place ?? known.place + 1)) return undefined
      const news = newsOf(change)
      await absorb(news)
      texts = texts.after(news.files)
      known = { ...known, revision: to.revision, place: journal.lines.at(-1)?.place ?? known.place }
      current = viewAt(to)
      return current
    })
  const ranking = openViewRanking({
    cache,
    embedder: parts.embedder,
    scan: parts.scan,
    now: parts.now,
    async readTexts(paths) {
      const found = await currentTexts({ database, project, known: texts }, paths)
      return paths.map((path) => found.get(path))
    },
  })
  return {
    get size() {
      return rows.known.size
    },
    view: async (now) => {
      const isRead = known.revision === now?.revision && known.rewritten === now.rewritten
      return isRead && current !== undefined ? current : view()
    },
    follow,
    rank: (query, seen) => ranking.rank(seen, query),
    async close() {
      await ranking.close()
      cache.close()
    },
  }
}

const isDecisionFile = (path: string): boolean => path.startsWith('decisions/') && isListedFile(path)
const stemOf = (path: string): string => path.slice('decisions/'.length, -'.md'.length)

/** A change as a reader would find it. */
function newsOf({ files, texts, journal }: PlannedChange): Pick<RecordChanges, 'files' | 'lines'> {
  const byHash = new Map(texts.map(({ sha256, text }) => [sha256, text]))
  return {
    files: files
      .filter(({ path }) => !isApart(path))
      .map(({ path, sha256 }) => ({ path, sha256, text: sha256 === null ? null : byHash.get(sha256)! })),
    lines: journal.lines,
  }
}

/** Numbers documents in catalogue order, so that a ranking need not sort them. */
async function readNews(files: RecordChanges['files']): Promise<FileNews[]> {
  const found = files
    .filter(({ path }) => isDecisionFile(path))
    .map(({ path, ...file }) => ({ stem: stemOf(path), ...file }))
    .sort((a, b) =>
      byNumber({ num: decisionNumber(a.stem) ?? 0, stem: a.stem }, { num: decisionNumber(b.stem) ?? 0, stem: b.stem }),
    )
  const news: FileNews[] = []
  let began = performance.now()
  for (const { stem, sha256, text } of found) {
    news.push({
      stem,
      found:
        sha256 === null
          ? undefined
          : {
              stamp: sha256,
              reading: text === null ? unreadable(stem, 'its text is gone') : readDecisionText(stem, recordText(text)),
            },
    })
    if (performance.now() - began < TURN_MS) continue
    await setImmediate()
    began = performance.now()
  }
  return news
}

/**
 * Shares runs of `look` between callers. A caller that arrives during a run gets the next run, shared with all others
 * that arrived meanwhile: results are never older than the call, and any number of callers costs at most two runs.
 */
function freshOnce<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const run = (): Promise<T> => {
    const mine = look().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }
  return () => {
    if (running === undefined) return run()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return run()
      })
    return next
  }
}
