/** Built-ins that most analytical engines share: they compute from their arguments alone, or tell the time. */
const SHARED = `
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

export const BIGQUERY_VALUES = `${SHARED}
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

export const SNOWFLAKE_VALUES = `${SHARED}
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

export const REDSHIFT_EXTRA = `${SHARED}
add_months bpcharcmp btrim charindex checksum convert_timezone crc32 date_cmp dateadd datediff dexp decode dlog1 dlog10 farmfingerprint64
func_sha1 get_array_length getdate has_null interval_cmp is_valid_json is_valid_json_array json_array_length json_extract_array_element_text
json_extract_path_text json_parse json_serialize json_typeof listagg months_between next_day nvl nvl2 octetindex object_transform ratio_to_report replicate
split_to_array strtol subarray sysdate timezone to_varbyte approximate is_array is_object is_varchar size len median array array_concat
trunc isnull bitand regexp_instr least hll hll_cardinality pg_size_pretty date_part_year last_day
`

export const DATABRICKS_VALUES = `${SHARED}
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

export const TRINO_VALUES = `${SHARED}
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

export const MSSQL_VALUES = `${SHARED}
approx_percentile_cont approx_percentile_disc atn2 binary_checksum bit_count charindex checksum checksum_agg choose compress convert count_big current_timezone
datalength date_bucket datefromparts datename datepart datetime2fromparts datetimefromparts datetimeoffsetfromparts datetrunc day decompress
difference edit_distance eomonth format getdate getutcdate hashbytes iif isdate isjson isnull isnumeric json_arrayagg json_objectagg
json_modify json_path_exists newid nchar parse patindex quotename replicate smalldatetimefromparts space square stdev stdevp str
stuff switchoffset sysdatetime sysdatetimeoffset sysutcdatetime timefromparts todatetimeoffset try_convert try_parse var varp string_escape
left_shift right_shift jaro_winkler_similarity exist value query nodes current_timezone_id
`

/** What makes rows where a table stands. None of them takes a table, a file or a text of SQL. */
export const REMOTE_ROWS = {
  bigquery: 'unnest generate_array',
  snowflake: 'flatten generator split_to_table strtok_split_to_table lateral',
  redshift: 'unnest generate_series',
  databricks:
    'explode explode_outer posexplode posexplode_outer inline inline_outer stack range json_tuple sequence variant_explode unnest',
  trino: 'unnest sequence table json_table',
  athena: 'unnest sequence',
  mssql: 'openjson string_split generate_series',
} as const
