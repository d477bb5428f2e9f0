import {
  PLAIN_GRAMMAR,
  PLAIN_NAMES,
  STANDARD_LEX,
  type ParsedDialect,
  spelling,
  samplePercent,
} from '../../domain/sql/dialect.ts'
import { ROLE, ROLE_VIEWS, roleViews } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { SHARED_FUNCTIONS } from '../shared-functions.ts'

/** Functions that only compute from their arguments or return the time, besides the functions that engines share. */
const VALUES = `
add_months approximate_similarity approx_percentile approx_top_k array_append array_cat array_compact array_construct array_construct_compact
array_contains array_distinct array_except array_flatten array_generate_range array_insert array_intersection array_max array_min
array_position array_prepend array_remove array_size array_slice array_sort array_to_string array_unique_agg arrays_overlap
arrays_to_object as_array as_boolean as_date as_double as_integer as_object as_varchar base64_decode_string base64_encode bitand bitor bitxor
bitshiftleft bitshiftright boolor_agg booland_agg charindex check_json collate collation compress conditional_change_event
conditional_true_event contains convert_timezone cosine_similarity vector_cosine_similarity date_from_parts datefromparts decode decompress_string div0
div0null editdistance endswith equal_null factorial filter flatten get get_ignore_case get_path hash hash_agg haversine hll hour ilike insert
is_array is_boolean is_date is_decimal is_double is_integer is_null_value is_object is_varchar jarowinkler_similarity last_day
mode monthname months_between next_day normal object_agg object_construct object_construct_keep_null object_delete object_insert object_keys
object_pick parse_ip parse_json parse_url previous_day ratio_to_report reduce regexp_substr_all regr_valx regr_valy rlike randstr seq1 seq2 seq4 seq8
space square startswith strip_null_value strtok strtok_to_array sysdate time_from_parts time_slice timeadd timediff timestamp_from_parts
timestamp_ltz_from_parts timestamp_ntz_from_parts timestamp_tz_from_parts to_array to_binary to_boolean to_decimal to_double to_geography
to_json to_numeric to_object to_time to_timestamp_ltz to_timestamp_ntz to_timestamp_tz to_variant to_varchar transform try_base64_decode_string
try_parse_json try_to_boolean try_to_date try_to_decimal try_to_double try_to_number try_to_numeric try_to_time try_to_timestamp
try_to_timestamp_ntz try_to_timestamp_tz uniform uuid_string variance_pop variance_samp zeroifnull nullifzero zipf rtrimmed_length skew
booland boolor boolxor boolnot bitand_agg bitor_agg regexp median nvl2 getdate systimestamp
`

export const snowflakeDialect: ParsedDialect = {
  name: 'snowflake',
  sampled: (table, rows, of) => `${table} SAMPLE SYSTEM (${samplePercent(rows, of)}) SEED (1)`,
  names: PLAIN_NAMES,
  spelling: spelling({
    text: 'VARCHAR',
    double: 'DOUBLE',
    sampling: { blocks: (table, percent) => `${table} SAMPLE SYSTEM (${percent}) SEED (1)` },
  }),
  functions: knownFunctions({
    values: `${SHARED_FUNCTIONS} ${VALUES}`,
    rows: 'flatten generator split_to_table strtok_split_to_table lateral',
    schemas: [],
  }),
  grammar: {
    ...PLAIN_GRAMMAR,
    parser: 'snowflake',
    recursiveByNature: true,
    foldsUp: true,
    exactCase: true,
    // A stage: `@s/file`.
    isExternal: ([first = '']) => first.startsWith('@'),
    lex: { ...STANDARD_LEX, lineComments: ['--', '//'], backslash: 'escapes', dollarQuotes: true },
  },
  role: (parts) => ({
    sql: [
      `CREATE ROLE ${ROLE}`,
      `CREATE SCHEMA ${ROLE_VIEWS}`,
      ...roleViews(parts, 'CREATE SECURE VIEW'),
      `GRANT USAGE ON SCHEMA ${ROLE_VIEWS} TO ROLE ${ROLE}`,
      `GRANT SELECT ON ALL VIEWS IN SCHEMA ${ROLE_VIEWS} TO ROLE ${ROLE}`,
    ],
  }),
}
