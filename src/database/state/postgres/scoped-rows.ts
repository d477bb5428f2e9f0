import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlDatabase, SqlScope, SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { Row } from '../given.ts'

/**
 * Owner of the state: one person in one project, whose transactions see and change nothing else, or everybody, for the
 * server's own work.
 */
export type Whose = Extract<SqlScope, 'server'> | { readonly project: string; readonly person: string }

export type Ask = (text: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>

/** Tables of the analyst as its ports use them. */
export interface ScopedRows {
  /** Runs one statement. */
  readonly ask: Ask
  /** Runs the work atomically. */
  within<T>(work: (ask: Ask) => Promise<T>): Promise<T>
  /** Like `within`, after earlier work on the same chat in this process. */
  inChat<T>(chat: string, work: (ask: Ask) => Promise<T>): Promise<T>
}

/** `first` runs at the start of each transaction. */
export function openRows(database: SqlDatabase, whose: Whose, first?: string): ScopedRows {
  const within: ScopedRows['within'] = (work) =>
    database
      .transaction(whose, async (sql) => {
        if (first !== undefined) await sql.query(first)
        return work(askIn(sql))
      })
      .catch((error: unknown) => {
        throw isRefused(error) ? notYours() : error
      })
  return {
    within,
    ask: (text, ...values) => within((ask) => ask(text, ...values)),
    inChat: (chat, work) => inOrder(database, chat, () => within(work)),
  }
}

/** Replaces NUL and lone surrogates, which PostgreSQL accepts in no text, in all values, including ids in queries. */
const askIn =
  (sql: SqlSession): Ask =>
  (text, ...values) =>
    sql.query<Row>(
      text,
      values.map((value) => (typeof value === 'string' ? keptText(value) : value)),
    )

const isRefused = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '42501'

const notYours = (): AppError =>
  new AppError('forbidden', 'That belongs to another person or project.', { hint: 'Sign in as its owner.' })

/** The caller's rows; for the server, the rows of any person. */
export const OWN = ownOf('person')

export function ownOf(person: string): string {
  return `${person} = coalesce(nullif(current_setting('ken.person', true), ''), ${person})`
}

/** Waits for other transactions that hold the lock of this name. */
export const inLine = (ask: Ask, ...name: readonly string[]): Promise<unknown> =>
  ask('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', JSON.stringify(name))

/** List as one value; its texts may also contain NUL and lone surrogates, which `jsonb` rejects like `text`. */
export const asList = (list: readonly unknown[]): string =>
  JSON.stringify(list, (_, value: unknown) => (typeof value === 'string' ? keptText(value) : value))

const queues = new WeakMap<SqlDatabase, Map<string, Promise<unknown>>>()

/**
 * Runs this process's requests in order, although its connections would race; writers of one chat wait here instead of
 * each holding a connection.
 */
function inOrder<T>(database: SqlDatabase, name: string, work: () => Promise<T>): Promise<T> {
  const waiting = queues.get(database) ?? new Map<string, Promise<unknown>>()
  queues.set(database, waiting)
  const mine = (waiting.get(name) ?? Promise.resolve()).then(work)
  const last = mine
    .catch(() => undefined)
    .finally(() => {
      if (waiting.get(name) === last) waiting.delete(name)
    })
  waiting.set(name, last)
  return mine
}
