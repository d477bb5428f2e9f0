import type { PoolClient, QueryArrayResult } from 'pg'
import type { SqlStatement } from '../../kernel/ports/sql-database.ts'

/** The part of the driver's connection that writes protocol messages. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  parse(message: { readonly text: string; readonly name: string }): void
  bind(message: {
    readonly values: readonly unknown[]
    readonly valueMapper: (value: unknown) => Buffer | string | null
  }): void
  describe(message: { readonly type: 'P'; readonly name: string }): void
  execute(message: { readonly portal: string }): void
  sync(): void
}

type Done = (error: Error | null, results: QueryArrayResult | readonly QueryArrayResult[]) => void

/** Returns the rows of each statement. */
export type SendBatch = (
  client: PoolClient,
  statements: readonly SqlStatement[],
) => Promise<readonly (readonly object[])[]>

/**
 * Sends statements with a single Sync behind them. Until it reads the Sync, PostgreSQL has not committed anything and
 * skips what follows an error, so they are one transaction without BEGIN and COMMIT, whose loss would leave them
 * statements of their own.
 */
export function openBatches(Query: typeof import('pg').Query): SendBatch {
  class Batch extends Query {
    readonly #statements: readonly SqlStatement[]

    constructor(statements: readonly SqlStatement[], done: Done) {
      super('', done as never)
      this.#statements = statements
    }

    override submit = (to: unknown): void => {
      const connection = to as Connection
      connection.stream.cork()
      try {
        for (const { text, values = [] } of this.#statements) {
          connection.parse({ text, name: '' })
          connection.bind({ values, valueMapper: asText })
          connection.describe({ type: 'P', name: '' })
          connection.execute({ portal: '' })
        }
        connection.sync()
      } finally {
        connection.stream.uncork()
      }
    }
  }
  return (client, statements) =>
    new Promise((resolve, reject) => {
      const batch = new Batch(statements, (error, results) =>
        error === null ? resolve([results].flat().map(({ rows }) => rows)) : reject(error),
      )
      client.query(batch as never)
    })
}

function asText(value: unknown): Buffer | string | null {
  if (value === null) return null
  return value instanceof Uint8Array ? Buffer.from(value) : String(value)
}
