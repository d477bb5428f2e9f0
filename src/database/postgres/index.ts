import type { Pool, PoolClient, PoolConfig, CustomTypesConfig } from 'pg'
import { AppError } from '../../kernel/domain/errors.ts'
import type { LookUnderLock, SqlDatabase, SqlScope, SqlSession, SqlValue } from '../../kernel/ports/sql-database.ts'
import { loadOptional } from '../../kernel/system/optional-package.ts'
import { inTurn, notFree, type Queues } from '../in-turn.ts'
import { AS_SERVER, SERVER_ROLE, scopeStatement } from '../scoped.ts'
import { openBatches } from './batch.ts'
import { isLost, isRefusedWrite, unreachable } from './faults.ts'
import { openListener } from './listener.ts'
import { openServers } from './servers.ts'
import { untilLanded } from './until-landed.ts'

export interface PostgresOptions {
  /** May name several servers of which one accepts writes. */
  readonly url: string
  /** Connections for transactions; locks may use at most as many again. */
  readonly connections?: number
  /** Milliseconds that a transaction may take, and for which it is retried while the server is unreachable. */
  readonly patience?: number
}

const CONNECTIONS = 10
const PATIENCE_MS = 15_000

/** Real server. A lost connection is replaced, and transactions that did not commit are retried. */
export async function openPostgresDatabase({
  url,
  connections = CONNECTIONS,
  patience = PATIENCE_MS,
}: PostgresOptions): Promise<SqlDatabase> {
  const { default: pg } = await loadOptional<typeof import('pg')>('pg', 'The team server')
  const { Client, leave } = openServers(pg.Client, url)
  const config: PoolConfig = {
    Client,
    max: connections,
    connectionTimeoutMillis: patience,
    idleTimeoutMillis: 60_000,
    statement_timeout: patience,
    idle_in_transaction_session_timeout: patience,
    keepAlive: true,
    // Statements are sent before the answers to earlier ones arrive: see `inTransaction`.
    pipeline: true,
    types: { getTypeParser: readAs(pg.types) },
  }
  const pool = new pg.Pool({ ...config, application_name: 'ken' }).on('error', () => undefined)
  const locks = new pg.Pool({ ...config, application_name: 'ken locks' }).on('error', () => undefined)
  const listener = openListener({
    connect: () => new Client({ ...config, application_name: 'ken listens' }),
    patience,
    fellSilent: leave,
  })
  let closing: Promise<unknown> | undefined
  const close = async (): Promise<void> => {
    closing ??= Promise.all([pool.end(), locks.end(), listener.close()])
    await closing
  }
  let isApplication = false
  const statementOf = (scope: SqlScope): string =>
    scope === 'server' && isApplication ? AS_SERVER : scopeStatement(scope)
  const transaction: SqlDatabase['transaction'] = (scope, work, { readOnly = false } = {}) =>
    untilLanded(patience, (landing) =>
      inTransaction(
        pool,
        async (session) => {
          const result = await work(session).catch((error: unknown) => {
            throw readOnly && isRefusedWrite(error)
              ? new Error('a read-only transaction was to write', { cause: error })
              : error
          })
          if (!readOnly) landing()
          return result
        },
        {
          begin: `${readOnly ? 'BEGIN READ ONLY' : 'BEGIN'};${statementOf(scope)}`,
          isHasty: readOnly,
        },
      ),
    )
  const [found] = await transaction('server', (sql) =>
    sql.query<{ vectors: boolean; isApplication: boolean }>(LOGIN),
  ).catch(async (error: unknown) => {
    await close()
    throw error instanceof AppError ? error : unreachable(error)
  })
  isApplication = found?.isApplication === true
  const queues: Queues = new Map()
  const send = openBatches(pg.Query)
  return {
    hasVectors: found?.vectors === true,
    transaction,
    batch: (scope, statements) =>
      untilLanded(patience, async (landing) => {
        const client = await connected(pool)
        const scoping = statementOf(scope)
        try {
          const rows = await send(client, [...(scoping === '' ? [] : [{ text: scoping }]), ...statements])
          client.release()
          return rows.slice(-statements.length)
        } catch (error) {
          if (!isRefusedWrite(error)) landing()
          client.release(isLost(error))
          throw error
        }
      }),
    withLock: (name, allowed, work, look) =>
      // One connection per name and process, regardless of the number of waiting callers.
      inTurn(queues, { name, patience: allowed }, (left) =>
        withServerLock(locks, { name, left, ...(look && { look, scoping: statementOf(look.scope) }) }, work),
      ),
    listen: listener.listen,
    answers: listener.answers,
    close,
  }
}

/** Whether vectors can be indexed, and whether the login is an application role: a member that does not own the tables. */
const LOGIN = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS vectors,
  EXISTS (
    SELECT FROM pg_namespace n JOIN pg_roles r ON r.rolname = '${SERVER_ROLE}'
    WHERE n.nspname = 'ken' AND NOT pg_has_role(n.nspowner, 'USAGE') AND pg_has_role(r.oid, 'MEMBER')
  ) AS "isApplication"`

interface Beginning {
  readonly begin: string
  /**
   * It changes nothing: the first statement does not wait for BEGIN, though no result is returned before BEGIN has
   * succeeded, and the result does not wait for COMMIT.
   */
  readonly isHasty: boolean
}

async function inTransaction<T>(
  pool: Pool,
  work: (session: SqlSession) => Promise<T>,
  { begin, isHasty }: Beginning,
): Promise<T> {
  const client = await connected(pool)
  const end = (): Promise<unknown> => client.query('COMMIT')
  let fault: unknown
  let result: T
  try {
    const begun = client.query(begin)
    if (!isHasty) await begun
    result = await resultOf(begun, work(sessionOf(client, begun)))
    if (!isHasty) await end()
  } catch (error) {
    fault = error
    if (!isLost(error)) await client.query('ROLLBACK').catch((lost: unknown) => (fault = lost))
    client.release(isLost(fault))
    throw error
  }
  if (!isHasty) client.release()
  else
    void end().then(
      () => client.release(),
      () => client.release(true),
    )
  return result
}

const connected = (pool: Pool): Promise<PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw pool.ending ? closed() : error
  })

/** Waits for both, so that neither is still running when the other has failed. */
async function resultOf<T>(begun: Promise<unknown>, working: Promise<T>): Promise<T> {
  const [first, second] = await Promise.allSettled([begun, working])
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return second.value
}

const closed = (): AppError => new AppError('unavailable', 'The database is closed.')

const sessionOf = (client: PoolClient, begun: Promise<unknown>): SqlSession => ({
  async query<Row extends object>(text: string, values: readonly SqlValue[] = []) {
    const answer = client.query<Row & Record<string, unknown>>(text, values.map(given))
    return (await resultOf(begun, answer)).rows as Row[]
  },
})

const given = (value: SqlValue): unknown => (value instanceof Uint8Array ? Buffer.from(value) : value)

interface Locking {
  readonly name: string
  readonly left: number
  readonly look?: LookUnderLock
  readonly scoping?: string
}

/** Held by a transaction that changes nothing, so that the server releases it whatever happens to this process. */
async function withServerLock<T>(
  locks: Pool,
  { name, left, look, scoping = '' }: Locking,
  work: (rows: readonly object[]) => Promise<T>,
): Promise<T> {
  let done: { readonly result: T } | { readonly why: unknown } | undefined
  const end = performance.now() + left
  try {
    await untilLanded(left, (entering) =>
      inTransaction(
        locks,
        async (sql) => {
          const locked = sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
          // A statement sees what was committed before it began, which is after the lock is free.
          const rows = await resultOf(
            locked,
            look === undefined ? Promise.resolve([]) : sql.query(look.text, look.values),
          )
          entering()
          done = await work(rows).then(
            (result) => ({ result }),
            (why: unknown) => ({ why }),
          )
        },
        {
          begin: `BEGIN;SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true), set_config('lock_timeout', '${Math.max(1, Math.ceil(end - performance.now()))}', true);${scoping}`,
          isHasty: true,
        },
      ),
    )
  } catch (error) {
    // Completed work counts, even if the lock was lost meanwhile.
    if (done === undefined) throw lockFault(error)
  }
  if (done !== undefined && 'result' in done) return done.result
  throw (done as unknown as { readonly why: unknown }).why
}

const lockFault = (error: unknown): unknown => ((error as { code?: string }).code === '55P03' ? notFree() : error)

type Parse = (text: string) => unknown

/** Overrides how the driver parses values: counts as text, times as objects. */
const OWN: Readonly<Record<number, Parse>> = {
  // Counts and row ids: a number is exact up to nine quadrillion.
  20: Number,
  // A day, and a time without a zone, stay as written.
  1082: String,
  1114: String,
  1184: (text) => new Date(text).toISOString(),
}

const readAs = ({ getTypeParser }: CustomTypesConfig): CustomTypesConfig['getTypeParser'] =>
  ((id: number, format?: 'text' | 'binary') => OWN[id] ?? getTypeParser(id, format as 'text')) as typeof getTypeParser
