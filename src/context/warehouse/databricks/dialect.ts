import { PLAIN_GRAMMAR, PLAIN_NAMES, STANDARD_LEX, type ParsedDialect, spelling } from '../../domain/sql/dialect.ts'
import { ROLE, ROLE_VIEWS, roleViews } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { SHARED_FUNCTIONS } from '../shared-functions.ts'

/** Functions that only compute from their arguments or return the time, besides the functions that engines share. */
const VALUES = `
acosh add_months aggregate approx_percentile approx_top_k array array_append array_compact array_contains array_distinct array_except
array_insert array_intersect array_join array_max array_min array_position array_prepend array_remove array_repeat array_size array_sort
array_union arrays_overlap arrays_zip base64 bigint bin binary bit_count bit_length bit_get bround cardinality char charindex collect_list collect_set contains
conv convert_timezone count_min_sketch crc32 csc curdate current_timezone date_format date_from_unix_date datepart decimal decode double e elt
element_at encode endswith equal_null exists explode_outer expm1 factorial filter find_in_set first flatten float forall format_number format_string
from_csv from_json from_utc_timestamp get get_json_object getbit hash histogram_numeric hypot ilike inline inline_outer int isnan isnotnull isnull
json_array_length json_object_keys json_tuple last lcase locate log1p luhn_check make_date make_dt_interval make_interval make_timestamp
map map_concat map_contains_key map_entries map_filter map_from_arrays map_from_entries map_keys map_values map_zip_with mask max_by mean
mode months_between named_struct nanvl negative next_day nullifzero octet_length overlay parse_json parse_url percentile percentile_approx
pmod posexplode posexplode_outer positive printf product randn reduce regexp regexp_extract_all regr_valx rint rlike schema_of_json sentences sequence sha sha2
shiftleft shiftright shuffle size slice smallint some sort_array space split stack startswith str_to_map string struct substring_index
timediff timestamp_micros timestamp_millis timestamp_seconds tinyint to_binary to_csv to_unix_timestamp to_utc_timestamp to_varchar
transform transform_keys transform_values try_add try_avg try_divide try_element_at try_multiply try_subtract try_sum try_to_number
try_to_timestamp try_variant_get ucase unbase64 unix_date unix_micros unix_millis unix_seconds unix_timestamp url_decode url_encode
variant_get weekday xxhash64 zip_with zeroifnull hll_sketch_agg hll_sketch_estimate hll_union_agg h3_longlatash3 window session_window date_bin
try_cast getdate parse_json is_variant_null any bool_or boolean count_if
`

const FILE_FORMATS = new Set(['csv', 'json', 'parquet', 'orc', 'avro', 'text', 'binaryfile', 'delta', 'xml', 'iceberg'])

export const databricksDialect: ParsedDialect = {
  name: 'databricks',
  names: { ...PLAIN_NAMES, addedColumns: ['_metadata'] },
  spelling: spelling({
    text: 'STRING',
    double: 'DOUBLE',
    sampling: { bucket: (texts, buckets) => `XXHASH64(${texts.join(', ')}) % ${buckets} = 0` },
  }),
  functions: knownFunctions({
    values: `${SHARED_FUNCTIONS} ${VALUES}`,
    rows: 'explode explode_outer posexplode posexplode_outer inline inline_outer stack range json_tuple sequence variant_explode unnest',
    schemas: [],
  }),
  grammar: {
    ...PLAIN_GRAMMAR,
    parser: 'databricks',
    // A file: `csv.`/mnt/people.csv``.
    isExternal: (name) => name.length === 2 && (FILE_FORMATS.has(name[0]!.toLowerCase()) || /[/:]/.test(name[1]!)),
    lex: {
      ...STANDARD_LEX,
      nestedComments: true,
      stringQuotes: `'"`,
      nameQuotes: '`',
      backslash: 'escapes',
      rawStrings: 'plain',
    },
  },
  role: (parts) => ({
    sql: [
      `CREATE SCHEMA ${ROLE_VIEWS}`,
      ...roleViews(parts, 'CREATE VIEW'),
      `GRANT USE SCHEMA, SELECT ON SCHEMA ${ROLE_VIEWS} TO \`${ROLE}\``,
    ],
  }),
}
