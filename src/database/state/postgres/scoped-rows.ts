import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlDatabase, SqlScope, SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { Row } from '../given.ts'
import { inOrder } from './in-order.ts'

/**
 * Whose state it is: that of one person in one project, which is all that its transactions can see and change, or of
 * everybody, for what the server does by itself.
 */
export type Whose = Extract<SqlScope, 'server'> | { readonly project: string; readonly person: string }

export type Ask = (text: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>

/** The tables of the analyst as its ports use them. */
export interface ScopedRows {
  /** One statement. */
  readonly ask: Ask
  /** All of the work or nothing. */
  within<T>(work: (ask: Ask) => Promise<T>): Promise<T>
  /** The same, after what was asked of the same chat here before. */
  inChat<T>(chat: string, work: (ask: Ask) => Promise<T>): Promise<T>
}

/** `first` is asked in each transaction before anything else. */
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

/** NUL and half characters, which PostgreSQL takes in no text, are replaced in all of them: ids that are asked for too. */
const askIn =
  (sql: SqlSession): Ask =>
  (text, ...values) =>
    sql.query<Row>(
      text,
      values.map((value) => (typeof value === 'string' ? keptText(value) : value)),
    )

const isRefused = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '42501'

const notYours = (): AppError =>
  new AppError('forbidden', 'That belongs to another person or project.', { hint: 'Sign in as whoever it belongs to.' })

/** Of the person who asks; of anybody where the server does. */
export const OWN = ownOf('person')

export function ownOf(person: string): string {
  return `${person} = coalesce(nullif(current_setting('ken.person', true), ''), ${person})`
}

/** Waits for whoever changes the same in another transaction. */
export const inLine = (ask: Ask, ...name: readonly string[]): Promise<unknown> =>
  ask('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', JSON.stringify(name))

/** A list as one value; its texts may hold NUL and half characters too, which `jsonb` takes no more than `text` does. */
export const asList = (list: readonly unknown[]): string =>
  JSON.stringify(list, (_, value: unknown) => (typeof value === 'string' ? keptText(value) : value))
