import { join } from 'node:path'
import type { Clock } from '../../../kernel/ports/clock.ts'
import type { ProjectRef } from '../../../kernel/ports/projects.ts'
import type { Embedder } from '../../../retrieval/ports/embedder.ts'
import type { VectorScan } from '../../../retrieval/ports/vector-scan.ts'
import type { Inspection, Store } from '../../ports/store.ts'
import { JOURNAL } from '../judge-journal.ts'
import { sha256 } from '../record-text.ts'
import { openDecisionIndex } from './decision-index/index.ts'
import { parseJournal, readJournal } from './journal-file.ts'
import { openRecordLock } from './lock.ts'
import { openRecordFolder } from './record-folder.ts'
import { finishCrashed } from './recovery.ts'
import { openScratch } from './scratch.ts'

export interface FileStoreOptions {
  /** The folder of the record; created with the first change if it does not exist. */
  readonly root: string
  readonly project: ProjectRef
  /** Folder for derived files; each record has one named after its real path. */
  readonly cacheDir: string
  /**
   * Folder for the lock, crash state and Ken's knowledge of a record, with a subfolder per record: durable and private
   * to the user.
   */
  readonly stateDir: string
  readonly clock: Clock
  /** Loaded when a ranking first needs it. */
  readonly embedder?: () => Promise<Embedder | undefined>
  readonly scan?: (dimensions: number) => VectorScan
  readonly lockTimeoutMs?: number
  /** 'later' leaves a git merge for the next process that opens the record: a hook has no time for it. */
  readonly settle?: 'now' | 'later'
  /** Receives a line about each merge that was settled or is pending, without any record text. */
  readonly told?: (line: string) => void
}

const LOCK_TIMEOUT = 10_000

/**
 * A record in plain files. Opening it writes nothing, unless a crash left a change to finish or git has merged two
 * branches of it; a record from a clone is not settled, only reported.
 */
export async function openFileStore(options: FileStoreOptions): Promise<Store> {
  const { project, clock, lockTimeoutMs = LOCK_TIMEOUT } = options
  const folder = await openRecordFolder(options.root, project.mode === 'repo' ? 2 : 1)
  const scratch = openScratch(options.stateDir, folder.root)
  const lock = openRecordLock(join(scratch.folder, 'lock'), () => parseInt(clock.uuid().slice(0, 8), 16) / 2 ** 32)
  const index = openDecisionIndex({
    root: folder.root,
    readText: folder.readText,
    cachePath: join(options.cacheDir, `record-${sha256(folder.root).slice(0, 16)}.db`),
    now: () => clock.now().getTime(),
    embedder: options.embedder,
    scan: options.scan,
  })
  // Loaded on demand: a check in a new process is mostly startup time.
  const shelf = once(async () => (await import('./snapshot-store.ts')).openSnapshotStore(folder, index.snapshots))
  const head = once(async () => (await import('./head.ts')).openHead(scratch.folder, folder.root))
  const inRepository = project.mode === 'repo'
  const parts = async () => ({ folder, scratch, index, shelf: await shelf(), clock, head: await head(), inRepository })

  const settle = () => finishCrashed(folder.files, scratch, lock)

  /** Checks again under the lock if something is wrong: a concurrent change is not a fault. */
  async function inspect(): Promise<Inspection> {
    settle()
    const { inspectRecord } = await import('./verify.ts')
    const look = async () => inspectRecord(folder, await head(), { inRepository })
    const found = await look()
    if (found.discrepancies.length === 0) return found
    // A record that cannot be locked cannot be changing either.
    const release = await (async () => lock.tryAcquire())().catch(() => undefined)
    return release === undefined ? found : look().finally(release)
  }

  settle()
  const store: Store = {
    project,
    snapshots: { list: async () => (await shelf()).list(), read: async (version) => (await shelf()).read(version) },
    catalogue: async () => (settle(), index.catalogue()),
    rank: async (query) => (settle(), index.rank(query)),
    read: (path) => folder.readText(path),
    list: () => folder.list(),
    async commit(origin, work) {
      const { commitWork, makeWritable } = await import('./commit.ts')
      makeWritable(folder, scratch, project.mode)
      const all = await parts()
      const release = await lock.acquire(lockTimeoutMs)
      return commitWork(all, origin, work).finally(release)
    },
    journal: async () => (await readJournal(folder)).events,
    verify: async () => (await inspect()).discrepancies,
    care: {
      inspect,
      lastKnown: async (path) =>
        (await import('./kept-texts.ts')).lastKnownText({ folder, shelf: await shelf(), inRepository }, path),
      newestSnapshot: async (path) =>
        (await import('./kept-texts.ts')).newestWith({ folder, shelf: await shelf(), inRepository }, path),
      async readThrough(look) {
        const { readThrough } = await import('./rewrite.ts')
        await readThrough(await parts(), look)
      },
      async rewrite(origin, rewriting) {
        const [{ makeWritable }, { rewriteRecord }] = await Promise.all([import('./commit.ts'), import('./rewrite.ts')])
        makeWritable(folder, scratch, project.mode)
        const all = await parts()
        const release = await lock.acquire(lockTimeoutMs)
        return rewriteRecord(all, origin, rewriting).finally(release)
      },
      async *everything() {
        const { bytesOf } = await import('./record-bytes.ts')
        yield* bytesOf({
          folder,
          shelf: await shelf(),
          beside: index.files,
          state: (await head()).folder,
        })
      },
    },
    history: {
      texts: async (wanted, near) =>
        (await import('./past-texts.ts')).pastTexts({ folder, shelf: await shelf(), inRepository }, wanted, near),
      async eventsIn(commit) {
        const bytes = inRepository
          ? await (await import('./git-copies.ts')).committedIn(folder.root, JOURNAL, commit)
          : undefined
        return bytes && new Set(parseJournal(bytes).events.map(({ id }) => id))
      },
      lines: async () => (await readJournal(folder)).lines,
    },
    async close() {
      lock.close()
      await index.close()
    },
  }
  if (project.mode === 'repo') {
    const later = project.fromClone === true ? 'untrusted' : options.settle === 'later' ? 'busy' : 'no'
    const { settleIfMerged } = await import('./settle-merge.ts')
    for (const line of await settleIfMerged({ store, folder, scratch, lock, lockTimeoutMs, clock, later }))
      options.told?.(line)
  }
  return store
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let thing: Promise<T> | undefined
  return () => (thing ??= make())
}
