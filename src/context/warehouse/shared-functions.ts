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
