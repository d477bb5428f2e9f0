import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell } from '../src/context/domain/sql/query.ts'
import type { WarehouseDefinition } from '../src/context/ports/warehouse.ts'
import { athenaEngine } from '../src/context/warehouse/athena/athena-engine.ts'
import { athena } from '../src/context/warehouse/athena/index.ts'
import { bigqueryEngine } from '../src/context/warehouse/bigquery/bigquery-engine.ts'
import { bigquery } from '../src/context/warehouse/bigquery/index.ts'
import { clickhouseEngine } from '../src/context/warehouse/clickhouse/clickhouse-engine.ts'
import { clickhouse } from '../src/context/warehouse/clickhouse/index.ts'
import { databricksEngine } from '../src/context/warehouse/databricks/databricks-engine.ts'
import { databricks } from '../src/context/warehouse/databricks/index.ts'
import { mssql } from '../src/context/warehouse/mssql/index.ts'
import { mssqlEngine } from '../src/context/warehouse/mssql/mssql-engine.ts'
import { redshift } from '../src/context/warehouse/redshift/index.ts'
import { redshiftEngine } from '../src/context/warehouse/redshift/redshift-engine.ts'
import type { RemoteEngine } from '../src/context/warehouse/remote-warehouse.ts'
import { snowflake } from '../src/context/warehouse/snowflake/index.ts'
import { snowflakeEngine } from '../src/context/warehouse/snowflake/snowflake-engine.ts'
import { trino } from '../src/context/warehouse/trino/index.ts'
import { trinoEngine } from '../src/context/warehouse/trino/trino-engine.ts'

/** An engine's replies to the catalogue statements, and the result Ken must derive from them. */
export interface Recording {
  readonly connection: Record<string, unknown>
  readonly answers: readonly {
    readonly contains: readonly string[]
    readonly columns: readonly string[]
    readonly rows: readonly (readonly Cell[])[]
  }[]
  readonly kinds: Record<string, string>
  readonly orders: Record<string, unknown>
  readonly columns: readonly string[]
  /** Catalogue metadata about the values of its columns. */
  readonly meanings?: Readonly<Record<string, object>>
  readonly quoted: string
  readonly query: string
  readonly history: { readonly sql: string; readonly times: number } | null
}

export type RemoteType = keyof typeof REMOTE

const REMOTE = {
  athena: { type: athena, engine: athenaEngine },
  bigquery: { type: bigquery, engine: bigqueryEngine },
  clickhouse: { type: clickhouse, engine: clickhouseEngine },
  databricks: { type: databricks, engine: databricksEngine },
  mssql: { type: mssql, engine: mssqlEngine },
  redshift: { type: redshift, engine: redshiftEngine },
  snowflake: { type: snowflake, engine: snowflakeEngine },
  trino: { type: trino, engine: trinoEngine },
} as const

export interface RemoteSubject {
  readonly name: RemoteType
  readonly type: WarehouseDefinition<never>
  engine(connection: never): RemoteEngine
}

export const REMOTE_ENGINES = Object.entries(REMOTE).map(([name, parts]) => ({
  name,
  ...parts,
})) as unknown as readonly RemoteSubject[]

export const recordingOf = (name: RemoteType): Recording =>
  JSON.parse(readFileSync(join(import.meta.dirname, `fixtures/warehouses/${name}.json`), 'utf8')) as Recording
