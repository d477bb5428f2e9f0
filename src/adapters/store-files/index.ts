import { existsSync } from 'node:fs'
import { access, constants, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { rankDecisions } from '../../core/record/rank-decisions.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { ProjectRef, Ranking, RankQuery, Store } from '../../ports/store.ts'
import type { VectorScan } from '../../ports/vector-scan.ts'
import { commitWork } from './commit.ts'
import { openDecisionIndex } from './decision-index.ts'
import { makeFolder, writeDurably } from './durable.ts'
import { isAbsent, isDatabaseFault, toRecordFailure } from './fs-failure.ts'
import { sha256 } from './intent.ts'
import { journalEnd, readJournal } from './journal-file.ts'
import { openRecordLock } from './lock.ts'
import { openMeaning } from './meaning.ts'
import { RECORD_ATTRIBUTES } from './merge-driver.ts'
import { openPlainScan } from './plain-scan.ts'
import { openRecordFolder, type RecordFolder } from './record-folder.ts'
import { finishCrashed } from './recovery.ts'
import { isGitBusy, needsSettling, settleMerge } from './settle-merge.ts'
import { openSnapshotShelf } from './snapshot-shelf.ts'
import { verifyRecord } from './verify.ts'

export interface FileStoreOptions {
  /** The folder of the record; made with the first change when it is not there yet. */
  readonly root: string
  readonly project: ProjectRef
  /** Where derived files go; each record has one named after its real path. */
  readonly cacheDir: string
  readonly clock: Clock
  /** Loaded when a ranking needs it first. */
  readonly embedder?: () => Promise<Embedder | undefined>
  readonly scan?: (dimensions: number) => VectorScan
  readonly lockTimeoutMs?: number
}

const LOCK_TIMEOUT = 10_000

/** A record in plain files. Opening it writes nothing, unless a crash left a change to finish or git has joined two branches of it. */
export async function openFileStore(options: FileStoreOptions): Promise<Store> {
  const { project, clock, lockTimeoutMs = LOCK_TIMEOUT } = options
  const folder = await openRecordFolder(options.root, project.mode === 'repo' ? 2 : 1)
  const scratch = join(folder.root, '.txn')
  const lock = openRecordLock(join(scratch, 'lock'), () => parseInt(clock.uuid().slice(0, 8), 16) / 2 ** 32)
  const now = () => clock.now().getTime()
  const index = openDecisionIndex(folder.root, join(options.cacheDir, `record-${sha256(folder.root).slice(0, 16)}.db`), now)
  const shelf = openSnapshotShelf(folder, index.cache)
  const meaning = openMeaning({ folder, cache: index.cache, now, embedder: options.embedder ?? (async () => undefined), scan: options.scan ?? openPlainScan })

  const settled = () => finishCrashed(folder, scratch, lock)
  const view = () => settled().then(() => index.view())

  async function rank(query: RankQuery): Promise<Ranking> {
    const corpus = (await view()).corpus(query)
    return rankDecisions(corpus, query, options.embedder && ((question) => meaning.ask(corpus, question)))
  }

  await settled()
  const store: Store = {
    project,
    snapshots: { list: () => shelf.list(), read: (version) => shelf.read(version) },
    catalogue: async () => (await view()).catalogue,
    async rank(query) {
      try {
        return await rank(query)
      } catch (error) {
        if (!isDatabaseFault(error)) throw error
        await index.renew()
        return rank(query)
      }
    },
    read: (path) => folder.readText(path),
    list: () => folder.list(),
    async commit(origin, work) {
      await prepare(folder, scratch, project.mode)
      const release = await lock.acquire(lockTimeoutMs)
      return commitWork({ folder, scratch, index, shelf, clock }, origin, work).finally(release)
    },
    journal: async () => (await readJournal(folder)).events,
    async verify() {
      await settled()
      return verifyRecord(folder, shelf, { history: project.mode === 'repo' })
    },
    async close() {
      meaning.close()
      lock.close()
      index.close()
    },
  }
  if (project.mode === 'repo') await settleIfMerged(store, folder)
  return store
}

/** Fails quietly: a record that cannot be written now is still worth reading, and doctor tells the rest. */
async function settleIfMerged(store: Store, folder: RecordFolder): Promise<void> {
  try {
    const { last } = await journalEnd(folder)
    if ((await needsSettling(store, await folder.names('decisions', '.md'), last)) && !isGitBusy(folder.root)) await settleMerge(store)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/** Makes the folders a change needs, or says plainly why it cannot. */
async function prepare(folder: RecordFolder, scratch: string, mode: ProjectRef['mode']): Promise<void> {
  try {
    await access(scratch, constants.W_OK).catch(async (error: unknown) => {
      if (!isAbsent(error)) throw error
      await makeFolder(scratch)
      if (mode === 'repo') await prepareForGit(folder.root)
    })
    if ((await lstat(scratch)).isSymbolicLink()) throw new AppError('forbidden', '.txn is a symbolic link', { hint: 'Delete it; Ken makes the folder itself.' })
    await access(folder.root, constants.W_OK)
  } catch (error) {
    throw toRecordFailure(error, `write to the record at ${folder.root}`)
  }
}

/** The lock and half-made changes are of this machine; so are the snapshots, because git keeps the history of a record it carries. */
async function prepareForGit(root: string): Promise<void> {
  await makeFolder(join(root, 'snapshots'))
  await writeDurably(join(root, '.txn', '.gitignore'), '*\n')
  await writeDurably(join(root, 'snapshots', '.gitignore'), '*\n')
  if (!existsSync(join(root, '.gitattributes'))) await writeDurably(join(root, '.gitattributes'), RECORD_ATTRIBUTES)
}
