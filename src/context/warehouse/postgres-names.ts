import { PLAIN_NAMES, type NameTraits } from '../domain/sql/dialect.ts'

/** Meanings of a name in PostgreSQL. */
export const POSTGRES_NAMES: NameTraits = {
  ...PLAIN_NAMES,
  fields: false,
  attributeCalls: true,
  hiddenSchema: /^pg_/,
  addedColumns: ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'],
}

/**
 * Functions that compute only from their arguments, or return the time; checked against pg_proc by a test. Excludes
 * functions that read the catalogue, a file, a setting or SQL given as text, and those that wait, lock or count.
 * Operators count as functions here.
 */
export const POSTGRES_FUNCTIONS = `
!! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> << <<= <<| <= <> <@ <^ = != > >= >> >>= >^
? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ @@@ ^ ^@ | |&> |/ |>> || ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~ ~~ ~~* <#> <=> <+> <% %> <<% %>>
any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp cume_dist dense_rank every jsonb_object_agg
jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict max min mode percent_rank percentile_cont percentile_disc
range_agg range_intersect_agg rank regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev
stddev_pop stddev_samp string_agg sum var_pop var_samp variance xmlagg first_value lag last_value lead nth_value ntile row_number json_agg
json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict jsonb_agg jsonb_agg_strict
abbrev abs acos acosd acosh age area array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_json array_to_string array_to_tsvector
array_upper ascii asin asind asinh atan atan2 atan2d atand atanh bit_count bit_length bool box bpchar broadcast btrim cardinality casefold
cbrt ceil ceiling center char_length character_length chr circle clock_timestamp concat concat_ws convert convert_from convert_to cos cosd
cosh cot cotd crc32 crc32c current_database current_user date date_add date_bin date_part date_subtract date_trunc datemultirange daterange
decode degrees diagonal diameter div encode enum_first enum_last enum_range erf erfc exp extract factorial family float4 float8 floor format
gamma gcd gen_random_uuid generate_series generate_subscripts get_bit get_byte height host hostmask inet_merge inet_same_family initcap int2
int4 int4multirange int4range int8 int8multirange int8range interval is_normalized isclosed isempty isfinite isopen json_array_elements
json_array_elements_text json_array_length json_build_array json_build_object json_each json_each_text json_extract_path
json_extract_path_text json_object json_object_keys json_populate_record json_populate_recordset json_strip_nulls json_to_record
json_to_recordset json_to_tsvector json_typeof jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys
jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array
jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset
jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector jsonb_typeof justify_days
justify_hours justify_interval lcm left length lgamma line ln log log10 lower lower_inc lower_inf lpad lseg ltrim make_date make_interval
make_time make_timestamp make_timestamptz masklen md5 min_scale mod money multirange netmask network normalize now npoints num_nonnulls
num_nulls numeric nummultirange numnode numrange octet_length overlaps overlay parse_ident path pclose pg_column_size pg_size_bytes
pg_size_pretty pg_typeof phraseto_tsquery pi plainto_tsquery point polygon popen position pow power querytree quote_ident quote_literal
quote_nullable radians radius random random_normal range_merge regexp_count regexp_instr regexp_like regexp_match regexp_matches
regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr repeat replace reverse right round row_to_json rpad rtrim scale
session_user set_bit set_byte set_masklen setweight sha224 sha256 sha384 sha512 sign similar_escape similar_to_escape sin sind sinh slope
split_part sqrt starts_with statement_timestamp string_to_array string_to_table strip strpos substr substring tan tand tanh text time timeofday
timestamp timestamptz timetz timezone to_ascii to_bin to_char to_date to_hex to_json to_jsonb to_number to_oct to_timestamp to_tsquery
to_tsvector transaction_timestamp translate trim_array trim_scale trunc ts_delete ts_filter ts_headline ts_lexize ts_rank
ts_rank_cd tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange tsvector_to_array unicode_assigned unistr unnest upper upper_inc
upper_inf uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 varchar version websearch_to_tsquery width width_bucket
xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlcomment xmlexists xpath xpath_exists xmltext
similarity word_similarity strict_word_similarity show_trgm unaccent digest hmac uuid_generate_v1 uuid_generate_v4 uuid_generate_v5 uuid_nil
levenshtein levenshtein_less_equal soundex difference metaphone dmetaphone dmetaphone_alt hstore_to_json hstore_to_jsonb akeys avals skeys
svals exist defined l2_distance inner_product cosine_distance l1_distance vector_dims vector_norm l2_normalize time_bucket
time_bucket_gapfill locf interpolate approx_percentile percentile_agg first last histogram
st_x st_y st_z st_area st_length st_perimeter st_distance st_distancesphere st_distancespheroid st_dwithin st_contains st_within st_covers
st_coveredby st_intersects st_intersection st_union st_difference st_buffer st_centroid st_envelope st_makepoint st_point st_setsrid st_srid
st_transform st_astext st_asgeojson st_asbinary st_asewkt st_geomfromtext st_geomfromgeojson st_geogfromtext st_makeenvelope st_makeline
st_collect st_simplify st_geohash st_azimuth st_isvalid st_geometrytype st_npoints st_numpoints st_startpoint st_endpoint st_convexhull
st_extent st_xmin st_xmax st_ymin st_ymax st_clusterdbscan st_clusterkmeans st_hexagongrid st_squaregrid geography geometry
bernoulli system
`
