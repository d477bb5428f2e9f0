import { PLAIN_GRAMMAR, PLAIN_NAMES, STANDARD_LEX, type ParsedDialect } from '../../domain/sql/dialect.ts'
import { ROLE, ROLE_VIEWS, roleView, roleViews } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { SHARED_FUNCTIONS, TRINO_SPELLING, TRINO_VALUES } from '../shared-functions.ts'

export const trinoDialect: ParsedDialect = {
  name: 'trino',
  names: PLAIN_NAMES,
  spelling: TRINO_SPELLING,
  functions: knownFunctions({
    values: `${SHARED_FUNCTIONS} ${TRINO_VALUES}`,
    rows: 'unnest sequence table json_table',
    schemas: [],
  }),
  grammar: { ...PLAIN_GRAMMAR, parser: 'generic', lex: STANDARD_LEX },
  role: (parts) => ({
    sql: [
      `CREATE SCHEMA ${ROLE_VIEWS}`,
      ...roleViews(parts, 'CREATE VIEW', ' SECURITY DEFINER'),
      ...parts.tables
        .filter(({ columns }) => columns.length > 0)
        .map((table) => `GRANT SELECT ON ${roleView(table, parts)} TO ROLE ${ROLE}`),
    ],
  }),
}
