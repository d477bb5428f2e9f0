import {
  concatenated,
  PLAIN_GRAMMAR,
  PLAIN_NAMES,
  STANDARD_LEX,
  type ParsedDialect,
  spelling,
} from '../../domain/sql/dialect.ts'
import type { Token } from '../../domain/sql/lex.ts'
import { columnGrants, ROLE, ROLE_PASSWORD } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'

/** Native functions of MySQL and MariaDB that compute from their arguments alone, or return the time. */
const VALUES = `
abs acos adddate addtime any_value approx_count_distinct ascii asin atan atan2 avg bin bin_to_uuid bit_and bit_count bit_length bit_or bit_xor
cast ceil ceiling char char_length character_length charset chr coalesce coercibility collation compress concat concat_ws conv convert
convert_tz cos cot count crc32 crc32c cume_dist curdate current_date current_time current_timestamp current_user curtime database date
date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear decode degrees dense_rank div elt exp export_set extract
field find_in_set first_value floor format format_bytes format_pico_time from_base64 from_days from_unixtime geometrytype get_format greatest
group_concat grouping hex hour if ifnull in inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr interval interval_ is_ipv4 is_ipv4_compat
is_ipv4_mapped is_ipv6 is_uuid isnull json_array json_array_append json_array_insert json_arrayagg json_array_intersect json_compact
json_contains json_contains_path json_depth json_detailed json_equals json_exists json_extract json_insert json_key_value json_keys
json_length json_loose json_merge json_merge_patch json_merge_preserve json_normalize json_object json_object_filter_keys
json_object_to_array json_objectagg json_overlaps json_pretty json_query json_quote json_remove json_replace json_search json_set
json_type json_unquote json_valid json_value lag last_day last_value lcase lead least left length ln localtime localtimestamp
locate log log10 log2 lower lpad ltrim make_set makedate maketime match max md5 median microsecond mid min minute mod month monthname
natural_sort_key now nth_value ntile nullif nvl nvl2 oct octet_length ord percent_rank percentile_cont percentile_disc period_add period_diff
pi position pow power quarter quote radians rand random_bytes rank regexp regexp_instr regexp_like regexp_replace regexp_substr repeat
replace reverse right round row_number rpad rtrim schema sec_to_time second session_user sformat sha sha1 sha2 sign sin soundex
space sqrt st_area st_asgeojson st_astext st_aswkb st_buffer st_centroid st_contains st_crosses st_difference st_dimension
st_disjoint st_distance st_distance_sphere st_envelope st_equals st_geohash st_geomfromgeojson st_geomfromtext st_geomfromwkb
st_geometrytype st_intersection st_intersects st_isempty st_isvalid st_latitude st_length st_longitude st_makeenvelope st_numpoints
st_overlaps st_pointfromtext st_simplify st_srid st_startpoint st_endpoint st_touches st_transform st_union st_within st_x st_y
std stddev stddev_pop stddev_samp str_to_date strcmp subdate substr substring substring_index subtime sum sys_guid sysdate
system_user tan time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_char to_days to_seconds trim
truncate ucase uncompress uncompressed_length unhex unix_timestamp upper user utc_date utc_time utc_timestamp uuid
uuid_to_bin values var_pop var_samp variance version week weekday weekofyear weight_string xor year yearweek
point linestring polygon multipoint mbrcontains mbrwithin mbrintersects x y vec_distance vec_distance_euclidean vec_distance_cosine
vec_fromtext vec_totext kdf lpad_oracle rpad_oracle trim_oracle concat_operator_oracle decode_oracle ceil floor
`

const ROWS = 'json_table'

const VARIABLES =
  '@@VERSION @@VERSION_COMMENT @@SQL_MODE @@TIME_ZONE @@SYSTEM_TIME_ZONE @@LOWER_CASE_TABLE_NAMES @@CHARACTER_SET_CLIENT @@COLLATION_CONNECTION @@AUTOCOMMIT'

const word = (value: string): Token => ({ kind: 'word', text: value, value, spaced: true })
const symbol = (value: string): Token => ({ kind: 'symbol', text: value, value, spaced: true })

const AFTER_OPERATOR = new Set(
  'SELECT WHERE AND OR NOT ON HAVING BY WHEN THEN ELSE CASE IN LIKE BETWEEN DIV XOR DISTINCT ALL SET LIMIT AS IS REGEXP RLIKE'.split(
    ' ',
  ),
)

export const mysqlDialect: ParsedDialect = {
  name: 'mysql',
  names: { ...PLAIN_NAMES, fields: false, secondNames: ['_rowid'] },
  spelling: spelling({
    explained: (query) => `EXPLAIN ${query}`,
    placeholder: () => '?',
    text: 'CHAR',
    double: 'DOUBLE',
    sampling: { seeks: true, bucket: (texts, buckets) => `CRC32(${concatenated(texts)}) % ${buckets} = 0` },
  }),
  functions: knownFunctions({ values: VALUES, rows: ROWS, schemas: [] }),
  grammar: {
    ...PLAIN_GRAMMAR,
    parser: 'mysql',
    exactCase: true,
    seesSelf: 'all',
    variables: VARIABLES.split(' '),
    respell: mysqlSpellings,
    lex: {
      ...STANDARD_LEX,
      lineComments: ['--', '#'],
      dashNeedsSpace: true,
      stringQuotes: `'"`,
      nameQuotes: '`',
      backslash: 'escapes',
    },
  },
  role: (parts) => ({
    sql: [
      `CREATE USER '${ROLE}'@'%' IDENTIFIED BY ${ROLE_PASSWORD}`,
      ...columnGrants(parts, (columns, table) => `GRANT SELECT${columns} ON ${table} TO '${ROLE}'@'%'`),
    ],
  }),
}

/**
 * Rewrites MySQL-specific syntax as sqlparser-rs knows it. Only for the parser: the engine gets the original. No rule
 * may drop a name, a call or a clause that could be rejected.
 */
function mysqlSpellings(tokens: readonly Token[]): readonly Token[] {
  const spelled: Token[] = []
  const calls: string[] = []
  const statement =
    tokens[0]?.value === 'TABLE' ? [word('SELECT'), symbol('*'), word('FROM'), ...tokens.slice(1)] : tokens
  for (let i = 0; i < statement.length; i++) {
    const token = statement[i]!
    const [next, after, third] = [1, 2, 3].map((step) => statement[i + step]?.value)
    if (token.value === '(') calls.push(statement[i - 1]?.value ?? '')
    if (token.value === ')') calls.pop()
    const known = spell(token, {
      next,
      after,
      third,
      operand: endsOperand(statement[i - 1]),
      call: calls.at(-1),
      compared: hasUnit(statement, i),
      unitHere:
        statement[i - 2]?.value === 'INTERVAL' || (calls.at(-1) === 'EXTRACT' && statement[i - 1]?.value === '('),
    })
    if (known) {
      spelled.push(...known.tokens)
      i += known.skipped
    } else spelled.push(token)
  }
  return spelled
}

interface Place {
  readonly next: string | undefined
  readonly after: string | undefined
  readonly third: string | undefined
  /** True if an operand precedes the position, so that an operator can follow. */
  readonly operand: boolean
  /** Word before the innermost open parenthesis. */
  readonly call: string | undefined
  /** True for INTERVAL with a unit: an amount of time, not the function. */
  readonly compared: boolean
  /** True after EXTRACT( or INTERVAL and its amount. */
  readonly unitHere: boolean
}

function spell({ kind, value }: Token, place: Place): { tokens: readonly Token[]; skipped: number } | undefined {
  const { next, after } = place
  if (kind === 'symbol') {
    if (value === '!' && !place.operand) return { tokens: [word('NOT')], skipped: 0 }
    if (value === '\\' && next === 'N') return { tokens: [word('NULL')], skipped: 1 }
    return undefined
  }
  if (kind !== 'word') return undefined
  if (value === 'WITH' && next === 'ROLLUP') return { tokens: [], skipped: 1 }
  if (value === 'MOD' && place.operand && next !== undefined) return { tokens: [symbol('%')], skipped: 0 }
  if (value === 'SOUNDS' && place.operand && next === 'LIKE') return { tokens: [], skipped: 0 }
  if (value === 'CHARACTER' && next === 'SET' && place.third === ')') return { tokens: [], skipped: 2 }
  if (value === 'USING' && place.call === 'CHAR' && after === ')') return { tokens: [], skipped: 1 }
  if (value === 'INTERVAL' && next === '(' && !place.compared) return { tokens: [word('INTERVAL_')], skipped: 0 }
  // Only if a unit is required here; otherwise it is a column of that name.
  const isUnit =
    place.unitHere && /^(?:DAY|HOUR|MINUTE|SECOND|YEAR)_(?:HOUR|MINUTE|SECOND|MICROSECOND|MONTH)$/.test(value)
  return isUnit ? { tokens: [word(value.split('_')[0]!)], skipped: 0 } : undefined
}

function endsOperand(token: Token | undefined): boolean {
  if (!token) return false
  if (token.kind === 'symbol') return token.value === ')' || token.value === ']'
  return token.kind !== 'word' || !AFTER_OPERATOR.has(token.value)
}

function hasUnit(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.value !== 'INTERVAL' || tokens[at + 1]?.value !== '(') return false
  let depth = 0
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i]!.value === '(') depth++
    if (tokens[i]!.value === ')' && --depth === 0)
      return /^(MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)/.test(tokens[i + 1]?.value ?? '')
  }
  return false
}
