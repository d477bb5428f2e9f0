import { isAbsolute, relative, resolve } from 'node:path'
import { asObject, asWords } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Skip } from '../ledger.ts'
import type { Reading } from '../ledger.ts'
import { messageKey, conversationOf } from './conversation.ts'
import { openSessionDatabase, type SessionDatabase } from './database.ts'
import { type Elder, findFork } from './forks.ts'
import type { Fork } from './forks.ts'
import { listStorage } from './storage.ts'
import type { StoredSession, Loaded } from './stored-session.ts'

const CLIENT = 'opencode'

export interface OpencodeOptions {
  /** A database elsewhere, absolute or relative to the root; it replaces those in the root. */
  readonly database?: string
}

/**
 * OpenCode sessions: in SQLite, in earlier releases in JSON files, often in both. The database takes precedence, JSON
 * fills the gaps.
 */
export const opencodeHarvester = (options: OpencodeOptions = {}) =>
  defineHarvester({
    client: CLIENT,
    places: ['.local/share/opencode'],
    async *read(root, cursor): AsyncGenerator<HarvestEvent> {
      const harvest = new OpencodeHarvest(root, cursor)
      try {
        yield* harvest.listDatabases(await databaseFiles(root, options))
        yield* harvest.listFiles()
        yield* harvest.tell()
      } finally {
        await harvest.close()
      }
      yield harvest.ledger.cursor()
    },
  })

export const opencode = opencodeHarvester()

/** Database files, one per release channel. */
async function databaseFiles(root: string, { database }: OpencodeOptions): Promise<string[]> {
  if (database === undefined) return (await listFolder(root)).filter((name) => /^opencode(?:-[\w.-]+)?\.db$/.test(name))
  const inside = relative(root, resolve(root, database))
  return [inside.startsWith('..') || isAbsolute(inside) ? resolve(root, database) : inside]
}

interface Memo {
  readonly database: string | null
  /** Key of the first message, which a fork shares with its parent. */
  readonly first: string | null
  readonly created: number
  readonly fork: Fork | null
}

class OpencodeHarvest {
  readonly ledger: HarvestLedger<Memo | null>
  readonly #root: string
  readonly #open = new Map<string, SessionDatabase>()
  readonly #sessions = new Map<string, StoredSession>()
  /** Sessions of unchanged databases. */
  readonly #kept = new Set<string>()
  readonly #byFirst = new Map<string, Set<string>>()

  constructor(root: string, cursor: string | undefined) {
    this.#root = root
    this.ledger = new HarvestLedger(root, `${CLIENT}/2`, cursor)
    for (const [key, { memo }] of this.ledger.remembered()) if (memo) this.#noteFirst(key, memo.first)
  }

  async *listDatabases(files: readonly string[]): AsyncGenerator<HarvestEvent> {
    for (const file of files) {
      const source = { key: file, files: [file, `${file}-wal`], note: '' }
      if (!(await this.ledger.changed(source))) {
        this.#keepSessionsOf(file)
        continue
      }
      const events = await this.ledger.settle(source, () => this.#readDatabase(file))
      if (!this.#open.has(file)) this.#keepSessionsOf(file)
      yield* events
    }
  }

  async *listFiles(): AsyncGenerator<HarvestEvent> {
    const { sessions, damaged } = await listStorage(this.#root, (id) => !this.#sessions.has(id) && !this.#kept.has(id))
    for (const session of sessions) if (!this.#sessions.has(session.id)) this.#sessions.set(session.id, session)
    for (const skip of damaged) {
      const source = { key: skip.path, files: [skip.path], note: '' }
      if (await this.ledger.changed(source)) yield* await this.ledger.settle(source, async () => nothing([skip]))
    }
  }

  /** Reports sessions oldest first, so that a fork's parent is known before the fork. */
  async *tell(): AsyncGenerator<HarvestEvent> {
    const ordered = [...this.#sessions.values()].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
    for (const session of ordered) {
      const source = { key: session.id, files: [], note: `${session.database ?? 'files'} ${session.fingerprint}` }
      if (await this.ledger.changed(source)) yield* await this.ledger.settle(source, () => this.#readSession(session))
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((database) => database.close()))
  }

  async #readDatabase(file: string): Promise<Reading<null>> {
    const database = await openSessionDatabase(this.#root, file)
    if (database === undefined)
      return nothing([{ path: file, why: 'unreadable', reason: 'OpenCode kept writing to it; it is read next time.' }])
    this.#open.set(file, database)
    for (const session of database.sessions)
      if (!this.#sessions.has(session.id)) this.#sessions.set(session.id, session)
    if (database.unsupportedRows === 0) return nothing([])
    const reason = `${database.unsupportedRows} messages are in a newer format that is not read yet.`
    return nothing([{ path: file, why: 'unsupported', reason }])
  }

  #keepSessionsOf(file: string): void {
    for (const [key, { memo }] of this.ledger.remembered()) {
      if (memo?.database !== file) continue
      this.#kept.add(key)
      this.ledger.keep(key)
    }
  }

  async #readSession(session: StoredSession): Promise<Reading<Memo>> {
    const loaded = await session.load()
    const first = loaded.messages[0] ? messageKey(loaded.messages[0]) : null
    const before = this.ledger.memo(session.id)
    const known = before?.first === first ? before?.fork : null
    const fork =
      session.parentId === undefined ? (known ?? (await findFork(loaded.messages, this.#elders(session, first)))) : null
    this.#noteFirst(session.id, first)
    return {
      ...sessionFromRows(session, loaded, fork),
      memo: { database: session.database, first, created: session.created, fork },
    }
  }

  #noteFirst(id: string, first: string | null): void {
    if (first !== null) this.#byFirst.set(first, (this.#byFirst.get(first) ?? new Set()).add(id))
  }

  #elders(session: StoredSession, first: string | null): Elder[] {
    const elders = [...(this.#byFirst.get(first ?? '') ?? [])].flatMap((id) => {
      const memo = this.ledger.memo(id)
      return memo && id !== session.id && memo.created < session.created ? [{ id, memo }] : []
    })
    elders.sort((a, b) => a.memo.created - b.memo.created)
    return elders.map(({ id, memo }) => ({
      id,
      load: async () => (await (await this.#find(id, memo.database))?.load())?.messages ?? [],
    }))
  }

  async #find(id: string, database: string | null): Promise<StoredSession | undefined> {
    const listed = this.#sessions.get(id)
    if (listed !== undefined || database === null) return listed
    const open = this.#open.get(database) ?? (await openSessionDatabase(this.#root, database))
    if (open) this.#open.set(database, open)
    return open?.sessions.find((session) => session.id === id)
  }
}

function nothing(skipped: readonly Skip[]): Reading<null> {
  return { session: undefined, skipped, offsets: {}, memo: null }
}

// The client's placeholder for an untitled session.
const NO_TITLE = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/

function sessionFromRows(session: StoredSession, loaded: Loaded, fork: Fork | null): Omit<Reading<unknown>, 'memo'> {
  const { projectDir, directory } = placeOf(session, loaded)
  const told = composeSession(
    {
      client: CLIENT,
      id: session.id,
      kind: session.parentId !== undefined ? 'subagent' : fork ? 'fork' : 'main',
      parentId: session.parentId ?? fork?.parent ?? null,
      files: [session.file],
      projectDir,
      directory,
      clientVersion: session.version ?? null,
      archived: session.isArchived,
      titles: [['session', NO_TITLE.test(session.title ?? '') ? undefined : session.title]],
    },
    conversationOf(loaded.messages.slice(fork?.messages ?? 0), session.revert),
  )
  if (told) return { session: told, skipped: loaded.skipped, offsets: {} }
  const reason = fork
    ? `Session ${fork.parent} already has everything in session ${session.id}.`
    : `Nothing was said in session ${session.id}.`
  return {
    session: undefined,
    skipped: [...loaded.skipped, { path: session.file, session: session.id, why: 'empty', reason }],
    offsets: {},
  }
}

/**
 * Location of a session. Without version control the project is the whole disk, so the session's directory is used; the
 * oldest sessions recorded neither.
 */
function placeOf(session: StoredSession, loaded: Loaded): { projectDir: string | null; directory: string | null } {
  const path = loaded.messages.map(({ info }) => asObject(info.path)).find((each) => each !== undefined)
  const directory = session.directory ?? asWords(path?.cwd) ?? null
  const root = session.worktree ?? (session.directory === undefined ? asWords(path?.root) : undefined)
  return { projectDir: root === undefined || root === '/' ? directory : root, directory }
}
