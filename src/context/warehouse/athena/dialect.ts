import { PLAIN_GRAMMAR, PLAIN_NAMES, STANDARD_LEX, type ParsedDialect } from '../../domain/sql/dialect.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { SHARED_FUNCTIONS, TRINO_SPELLING, TRINO_VALUES } from '../shared-functions.ts'

export const athenaDialect: ParsedDialect = {
  name: 'athena',
  billsBytes: true,
  names: PLAIN_NAMES,
  spelling: TRINO_SPELLING,
  functions: knownFunctions({
    values: `${SHARED_FUNCTIONS} ${TRINO_VALUES}`,
    rows: 'unnest sequence',
    schemas: [],
  }),
  grammar: { ...PLAIN_GRAMMAR, parser: 'generic', lex: { ...STANDARD_LEX, nameQuotes: '"`' } },
  role: () => ({
    instead: 'its rights are kept outside of SQL: give the role of Ken the columns of the context in Lake Formation',
  }),
}
