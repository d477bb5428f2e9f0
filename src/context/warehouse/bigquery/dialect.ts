import {
  concatenated,
  PLAIN_GRAMMAR,
  PLAIN_NAMES,
  STANDARD_LEX,
  type ParsedDialect,
  spelling,
  samplePercent,
} from '../../domain/sql/dialect.ts'
import { ROLE_VIEWS, roleViews } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { SHARED_FUNCTIONS } from '../shared-functions.ts'

/** Functions that only compute from their arguments or return the time, besides the functions that engines share. */
const VALUES = `
approx_quantiles approx_top_count approx_top_sum array array_concat array_concat_agg array_first array_includes array_last array_length
array_reverse array_slice array_sum array_to_string array_transform array_filter avg bit_count byte_length code_points_to_bytes
code_points_to_string collate contains_substr countif cosine_distance euclidean_distance date_bucket date_from_unix_date datetime datetime_add
datetime_diff datetime_sub datetime_trunc div ends_with farm_fingerprint format format_date format_datetime format_time
format_timestamp from_base32 generate_array generate_date_array generate_timestamp_array generate_uuid ieee_divide int64 float64 bool string
is_inf is_nan json_array_length json_extract_array json_extract_string_array json_keys json_query_array json_set json_strip_nulls json_type
json_value_array justify_days justify_hours justify_interval lax_bool lax_float64 lax_int64 lax_string logical_and logical_or make_interval
net.host net.ip_from_string net.ip_to_string net.ip_trunc net.public_suffix net.reg_domain net.safe_ip_from_string normalize
normalize_and_casefold octet_length offset ordinal parse_bignumeric parse_date parse_datetime parse_json parse_numeric parse_time
parse_timestamp range range_bucket range_contains range_end range_overlaps range_start regexp_contains regexp_extract_all safe_add
safe_cast safe_convert_bytes_to_string safe_divide safe_multiply safe_negate safe_offset safe_ordinal safe_subtract sec sech sha512
st_distance st_geohash st_maxdistance st_simplify string_agg struct struct_extract time_add time_diff time_sub time_trunc timestamp_add
timestamp_bucket timestamp_diff timestamp_micros timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc to_base32 to_code_points
to_json_string unix_date unix_micros unix_millis unix_seconds current_datetime edit_distance hll_count.extract hll_count.init
hll_count.merge hll_count.merge_partial lpad bit_xor rand st_clusterdbscan
`

export const bigqueryDialect: ParsedDialect = {
  name: 'bigquery',
  // Different blocks every time: TABLESAMPLE has no seed.
  sampled: (table, rows, of) => `${table} TABLESAMPLE SYSTEM (${samplePercent(rows, of)} PERCENT)`,
  billsBytes: true,
  names: { ...PLAIN_NAMES, addedColumns: ['_partitiontime', '_partitiondate', '_table_suffix', '_file_name'] },
  spelling: spelling({
    text: 'STRING',
    double: 'FLOAT64',
    // Structs, arrays and JSON cannot be cast to text, and casting bytes fails if they are not UTF-8.
    asText: (column, type) =>
      /^(?:string|bool)/i.test(type) ? `CAST(${column} AS STRING)` : `TO_JSON_STRING(${column})`,
    remainder: (dividend, divisor) => `MOD(${dividend}, ${divisor})`,
    // A block sample would read less, but different blocks each time.
    sampling: { bucket: (texts, buckets) => `MOD(FARM_FINGERPRINT(${concatenated(texts)}), ${buckets}) = 0` },
  }),
  functions: knownFunctions({
    values: `${SHARED_FUNCTIONS} ${VALUES}`,
    rows: 'unnest generate_array',
    schemas: ['safe'],
  }),
  grammar: {
    ...PLAIN_GRAMMAR,
    parser: 'bigquery',
    pathsInFrom: true,
    exactCase: true,
    lex: {
      ...STANDARD_LEX,
      lineComments: ['--', '#'],
      stringQuotes: `'"`,
      nameQuotes: '`',
      backslash: 'escapes',
      tripleQuotes: true,
      rawStrings: 'escapes',
    },
  },
  role: (parts) => ({
    sql: [
      `CREATE SCHEMA ${ROLE_VIEWS}`,
      ...roleViews(parts, 'CREATE VIEW'),
      `GRANT \`roles/bigquery.dataViewer\` ON SCHEMA ${ROLE_VIEWS} TO 'serviceAccount:…'`,
    ],
  }),
}
