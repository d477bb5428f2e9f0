import { PLAIN_NAMES, type SqlDialect, spelling } from '../../domain/sql/dialect.ts'
import { noRoles } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'

/**
 * Functions that only compute from their arguments or return the time; checked against SQLite's function_list by a
 * test.
 */
const VALUES = `
-> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling char coalesce concat concat_ws cos cosh count cume_dist current_date
current_time current_timestamp date datetime degrees dense_rank exp first_value floor format geopoly_area geopoly_bbox geopoly_blob
geopoly_ccw geopoly_contains_point geopoly_group_bbox geopoly_json geopoly_overlap geopoly_regular geopoly_svg geopoly_within
geopoly_xform glob group_concat hex highlight if ifnull iif instr json json_array json_array_insert json_array_length
json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote json_remove
json_replace json_set json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set julianday lag last_value lead length like likelihood likely ln
log log10 log2 lower ltrim match matchinfo max median min mod nth_value ntile nullif octet_length offsets percent_rank percentile
percentile_cont percentile_disc pi pow power printf quote radians random randomblob rank regexp replace round row_number rtrim sign sin sinh snippet
sqlite_version sqrt strftime string_agg substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode unistr unistr_quote
unixepoch unlikely upper zeroblob soundex decimal decimal_add decimal_sub decimal_mul decimal_sum stddev stddev_samp stddev_pop variance
`

const ROWS = 'json_each json_tree jsonb_each jsonb_tree generate_series'

export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  sampled: (table, rows) => `${table} WHERE rowid IN (${spread(table, rows)})`,
  names: { ...PLAIN_NAMES, fields: false, addedColumns: ['rank'], secondNames: ['rowid', 'oid', '_rowid_'] },
  spelling: spelling({
    explained: (query) => `EXPLAIN QUERY PLAN ${query}`,
    placeholder: () => '?',
    text: 'TEXT',
    double: 'REAL',
    standardDeviation: () => undefined,
    sampling: { seeks: true, rowAddress: 'rowid' },
  }),
  functions: knownFunctions({ values: VALUES, rows: ROWS, schemas: [] }),
  role: noRoles,
}

/** Row ids at equal distances, each found without a scan. Ids of deleted rows return nothing. */
const spread = (table: string, rows: number): string =>
  `WITH RECURSIVE ken_ends(lo, step, hi) AS (SELECT min(rowid), max(1, (max(rowid) - min(rowid)) / ${rows}), max(rowid) FROM ${table}), ` +
  `ken_ids(id) AS (SELECT lo FROM ken_ends UNION ALL SELECT id + step FROM ken_ids, ken_ends WHERE id + step <= hi) SELECT id FROM ken_ids`
