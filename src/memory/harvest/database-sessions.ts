import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { HarvestEvent } from '../ports/harvester.ts'
import { type CopyLimits, type DatabaseCopy, openDatabaseCopy } from './database-copy.ts'
import type { HarvestLedger, Reading, Skip } from './ledger.ts'

/** A session as listed by its database. */
export interface ListedSession {
  readonly id: string
  /** Changes whenever the session does. */
  readonly fingerprint: string
  read(): Omit<Reading<unknown>, 'memo'>
}

export interface DatabaseMemo {
  /** Database that lists the session; null if none does, as for the database itself. */
  readonly database: string | null
  /** Sessions that another database assigns to this one. */
  readonly members?: readonly string[]
}

export interface DatabaseSource {
  readonly root: string
  /** Relative to the root, or absolute. */
  readonly file: string
  /** Other dependencies of the sessions. */
  readonly note?: string
  readonly limits?: CopyLimits
  list(db: DatabaseSync): Iterable<ListedSession>
}

/**
 * Reports the sessions of one database; if it has not changed or cannot be read now, the ledger keeps the previous
 * ones.
 */
export async function* databaseSessions(
  ledger: HarvestLedger<DatabaseMemo>,
  { root, file, note = '', limits, list }: DatabaseSource,
): AsyncGenerator<HarvestEvent> {
  const source = { key: `database ${file}`, files: [file, `${file}-wal`, `${file}-journal`], note }
  let copy: DatabaseCopy | undefined
  let sessions: readonly ListedSession[] | undefined
  try {
    if (await ledger.changed(source))
      yield* await ledger.settle(source, async () => {
        copy = await openDatabaseCopy(resolve(root, file), limits)
        const listed = copy && [...list(copy.db)]
        if (copy === undefined || (await copy.isStale()))
          return nothing({ path: file, why: 'unreadable', reason: 'It is being written to; it is read next time.' })
        sessions = listed
        return nothing()
      })
    if (sessions === undefined || copy === undefined) return keepSessionsOf(ledger, file)
    yield* changedSessions(ledger, { file, sessions, copy })
  } finally {
    await copy?.close()
  }
}

interface OpenDatabase {
  readonly file: string
  readonly sessions: readonly ListedSession[]
  readonly copy: DatabaseCopy
}

async function* changedSessions(
  ledger: HarvestLedger<DatabaseMemo>,
  { file, sessions, copy }: OpenDatabase,
): AsyncGenerator<HarvestEvent> {
  let isStale = false
  for (const session of sessions) {
    const told = { key: session.id, files: [], note: `${file} ${session.fingerprint}` }
    if (!isStale && !(await ledger.changed(told))) continue
    const events = isStale
      ? []
      : await ledger.settle(told, async () => ({ ...session.read(), memo: { database: file } }))
    isStale ||= await copy.isStale()
    if (isStale) ledger.keep(session.id)
    else yield* events
  }
}

function keepSessionsOf(ledger: HarvestLedger<DatabaseMemo>, file: string): void {
  for (const [key, { memo }] of ledger.remembered()) if (memo?.database === file) ledger.keep(key)
}

function nothing(...skipped: readonly Skip[]): Reading<DatabaseMemo> {
  return { session: undefined, skipped, offsets: {}, memo: { database: null } }
}
