import { PLAIN_GRAMMAR, STANDARD_LEX, type ParsedDialect, spelling } from '../../domain/sql/dialect.ts'
import { columnGrants, ROLE, ROLE_PASSWORD, schemaGrants } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { POSTGRES_FUNCTIONS, POSTGRES_NAMES } from '../postgres-names.ts'
import { SHARED_FUNCTIONS } from '../shared-functions.ts'

/** Redshift functions in addition to PostgreSQL's and those that engines share. */
const VALUES = `
add_months bpcharcmp btrim charindex checksum convert_timezone crc32 date_cmp dateadd datediff dexp decode dlog1 dlog10 farmfingerprint64
func_sha1 get_array_length getdate has_null interval_cmp is_valid_json is_valid_json_array json_array_length json_extract_array_element_text
json_extract_path_text json_parse json_serialize json_typeof listagg months_between next_day nvl nvl2 octetindex object_transform ratio_to_report replicate
split_to_array strtol subarray sysdate timezone to_varbyte approximate is_array is_object is_varchar size len median array array_concat
trunc isnull bitand regexp_instr least hll hll_cardinality pg_size_pretty date_part_year last_day
`

export const redshiftDialect: ParsedDialect = {
  name: 'redshift',
  names: { ...POSTGRES_NAMES, fields: true, attributeCalls: false },
  spelling: spelling({
    // Without a length, a cast cuts at 256 characters.
    text: 'VARCHAR(65535)',
    double: 'DOUBLE PRECISION',
    sampling: {
      bucket: (texts, buckets) => `STRTOL(LEFT(MD5(${texts.join(" || '|' || ")}), 7), 16) % ${buckets} = 0`,
    },
    asText: (column, type) =>
      /^super/i.test(type) ? `JSON_SERIALIZE(${column})` : `CAST(${column} AS VARCHAR(65535))`,
  }),
  functions: knownFunctions({
    values: `${POSTGRES_FUNCTIONS} ${SHARED_FUNCTIONS} ${VALUES}`,
    rows: 'unnest generate_series',
    schemas: ['pg_catalog'],
  }),
  grammar: {
    ...PLAIN_GRAMMAR,
    parser: 'redshift',
    pathsInFrom: true,
    lex: { ...STANDARD_LEX, nestedComments: true, backslash: 'unsure', dollarQuotes: true },
  },
  role: (parts) => ({
    sql: [`CREATE USER ${ROLE} PASSWORD ${ROLE_PASSWORD}`, ...schemaGrants(parts), ...columnGrants(parts)],
  }),
}
