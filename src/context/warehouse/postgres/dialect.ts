import { spelling, type SqlDialect, samplePercent } from '../../domain/sql/dialect.ts'
import { columnGrants, ROLE, ROLE_PASSWORD, schemaGrants } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { POSTGRES_FUNCTIONS, POSTGRES_NAMES } from '../postgres-names.ts'

export const postgresDialect: SqlDialect = {
  name: 'postgres',
  sampled: (table, rows, of) => `${table} TABLESAMPLE SYSTEM (${samplePercent(rows, of)}) REPEATABLE (1)`,
  names: POSTGRES_NAMES,
  spelling: spelling({
    explained: (query) => `EXPLAIN ${query}`,
    text: 'TEXT',
    double: 'DOUBLE PRECISION',
    placeholder: (at) => `$${at}`,
    sampling: { seeks: true, blocks: (table, percent) => `${table} TABLESAMPLE SYSTEM (${percent}) REPEATABLE (1)` },
  }),
  functions: knownFunctions({ values: POSTGRES_FUNCTIONS, rows: POSTGRES_FUNCTIONS, schemas: ['pg_catalog'] }),
  role: (parts) => ({
    sql: [
      `CREATE ROLE ${ROLE} LOGIN PASSWORD ${ROLE_PASSWORD} NOSUPERUSER NOCREATEDB NOCREATEROLE`,
      `ALTER ROLE ${ROLE} SET default_transaction_read_only = on`,
      ...schemaGrants(parts),
      ...columnGrants(parts),
    ],
  }),
}
