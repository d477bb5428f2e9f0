import { concatenated, spelling } from '../domain/sql/dialect.ts'

/** Built-ins that most analytical engines share: they compute from their arguments alone, or return the time. */
export const SHARED_FUNCTIONS = `
abs acos any_value approx_count_distinct array_agg ascii asin atan atan2 avg bit_and bit_or bit_xor bool_and bool_or cast cbrt ceil ceiling
char char_length character_length chr coalesce concat concat_ws corr cos cosh cot count count_if covar_pop covar_samp cume_dist current_date
current_time current_timestamp date date_add date_diff date_part date_sub date_trunc dateadd datediff day dayname dayofmonth dayofweek
dayofyear degrees dense_rank every exp extract first_value floor from_unixtime greatest grouping grouping_id hex hour if ifnull iff initcap
instr json_extract json_extract_scalar json_value json_query json_array json_object kurtosis lag last_day last_value lead least left len
length levenshtein listagg ln localtime localtimestamp log log10 log2 lower lpad ltrim max max_by md5 median min min_by minute mod
month monthname now nth_value ntile nullif nvl nvl2 percent_rank percentile_cont percentile_disc pi position pow power quarter radians
rand random rank regexp_count regexp_extract regexp_instr regexp_like regexp_replace regexp_substr regr_avgx regr_avgy regr_count
regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right round row_number rpad rtrim second sha1 sha256
sha512 sign sin sinh skewness soundex split split_part sqrt starts_with std stddev stddev_pop stddev_samp strpos string_agg substr substring
sum tan tanh time timestamp timestampadd timestampdiff to_base64 from_base64 to_char to_date to_hex from_hex to_json to_number
to_timestamp translate trim trunc truncate try_cast typeof unhex unicode upper uuid var_pop var_samp variance version week weekofyear
width_bucket year yearweek count_star unnest explode current_user session_user in like not
st_area st_astext st_asgeojson st_buffer st_centroid st_contains st_distance st_dwithin st_geogfromtext st_geogpoint st_geometryfromtext
st_geomfromtext st_intersection st_intersects st_length st_makepoint st_point st_union st_within st_x st_y
`

/** Functions of Trino and Athena, in addition to the functions that engines share. */
export const TRINO_VALUES = `
acosh all_match any_match approx_distinct approx_most_frequent approx_percentile approx_set arbitrary array_distinct array_except array_histogram
array_intersect array_join array_max array_min array_position array_remove array_sort array_union arrays_overlap at_timezone bar beta_cdf
bit_count bitwise_and bitwise_and_agg bitwise_left_shift bitwise_not bitwise_or bitwise_or_agg bitwise_right_shift bitwise_xor
bitwise_xor_agg cardinality checksum codepoint combinations contains contains_sequence convex_hull_agg cosine_similarity cosine_distance crc32 date_format
date_parse day_of_month day_of_week day_of_year dow doy e element_at empty_approx_set entropy filter flatten format format_datetime
format_number from_base from_base32 from_big_endian_64 from_encoded_polyline from_ieee754_64 from_iso8601_date from_iso8601_timestamp
from_unixtime_nanos from_utf8 geometric_mean great_circle_distance hamming_distance hash_counts histogram human_readable_seconds
infinity intersection_cardinality inverse_normal_cdf is_finite is_infinite is_json_scalar is_nan jaccard_index json_array_contains
json_array_get json_array_length json_exists json_format json_parse json_size last_day_of_month levenshtein_distance ln luhn_check map
map_agg map_concat map_entries map_filter map_from_entries map_keys map_union map_values map_zip_with merge millisecond multimap_agg
multimap_from_entries murmur3 nan ngrams none_match normal_cdf normalize numeric_histogram parse_data_size parse_datetime parse_duration
qdigest_agg reduce reduce_agg regexp_extract_all regexp_position regexp_split row rgb sequence shuffle slice split_to_map split_to_multimap
spooky_hash_v2_64 strpos tdigest_agg timezone_hour timezone_minute to_base to_base32 to_big_endian_64 to_geometry to_ieee754_64
to_iso8601 to_milliseconds to_unixtime to_utf8 transform transform_keys transform_values try typeof url_decode url_encode
url_extract_fragment url_extract_host url_extract_parameter url_extract_path url_extract_port url_extract_protocol url_extract_query
value_at_quantile values_at_quantiles week_of_year wilson_interval_lower wilson_interval_upper with_timezone word_stem xxhash64
year_of_week yow zip zip_with concat_ws year numeric_histogram bool_or every timezone trim_array any_value first_value
`

export const TRINO_SPELLING = spelling({
  text: 'VARCHAR',
  double: 'DOUBLE',
  asText(column, type) {
    if (/^varbinary/i.test(type)) return `to_hex(${column})`
    return /^(?:array|map|row|json)/i.test(type) ? `json_format(CAST(${column} AS JSON))` : `CAST(${column} AS VARCHAR)`
  },
  sampling: {
    bucket: (texts, buckets) => `from_big_endian_64(xxhash64(to_utf8(${concatenated(texts)}))) % ${buckets} = 0`,
  },
})
