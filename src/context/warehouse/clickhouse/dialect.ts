import { PLAIN_GRAMMAR, PLAIN_NAMES, STANDARD_LEX, type ParsedDialect, spelling } from '../../domain/sql/dialect.ts'
import { columnGrants, ROLE, ROLE_PASSWORD } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'

/**
 * ClickHouse's own names, in lower case. Aggregates also take the suffixes If, Array, Distinct, OrNull, OrDefault,
 * State, Merge and so on.
 */
const VALUES = `
abs accuratecast acos acosh addday adddays addhours addminutes addmonths addquarters addseconds addweeks addyears age
and any anyheavy anylast any_value argmax argmin array arrayall arrayavg arraycompact arrayconcat arraycount arraycumsum
arraydifference arraydistinct arrayelement arrayenumerate arrayenumerateuniq arrayexists arrayfill arrayfilter
arrayfirst arrayfirstindex arrayflatten arrayfold arrayintersect arrayjoin arraylast arraymap arraymax arraymin
arraypartialsort arraypopback arraypopfront arrayproduct arraypushback arraypushfront arrayreduce arrayresize
arrayreverse arrayreversesort arrayshingles arrayshuffle arrayslice arraysort arraysplit arraystringconcat arraysum
arrayuniq arrayzip ascii asin asinh assumenotnull atan atan2 avg avgweighted bar base58encode base64decode base64encode
bin bitand bitcount bitmapbuild bitmapcardinality bitnot bitor bitshiftleft bitshiftright bitxor boundingratio cast cbrt
ceil ceiling char char_length cityhash64 coalesce concat concatassumeinjective concatwithseparator contingency
convertcharset corr cos cosh cosinedistance count countequal countsubstrings countsubstringscaseinsensitive covarpop
covarsamp covar_pop covar_samp cramersv crc32 currentdatabase current_date current_timestamp
cuttofirstsignificantsubdomain cutwww date date_add date_diff date_format date_sub date_trunc dateadd datediff datename
dateformat datesub datetrunc day dayofmonth dayofweek dayofyear decodeurlcomponent degrees deltasum dense_rank domain
domainwithoutwww dotproduct e emptyarraytosingle empty encodeurlcomponent endswith entropy erf erfc exp exp10 exp2
exponentialmovingaverage extract extractall extractallgroups extracturlparameter extracturlparameters first_value
flatten floor format formatdatetime formatreadabledecimalsize formatreadablequantity formatreadablesize
formatreadabletimedelta fragment fromunixtimestamp fromunixtimestamp64milli gcd generateuuidv4 generateuuidv7
geodistance geohashencode geohashdecode geotoh3 greatcircledistance greatest grouparray grouparrayinsertat
grouparraylast grouparraymovingavg grouparraymovingsum grouparraysample grouparraysorted groupbitand groupbitmap
groupbitor groupbitxor groupconcat group_concat groupuniqarray h3togeo halfmd5 has hasall hasany hassubsequence
hassubstr hastoken hex histogram hour if ifnotfinite ifnull ilike in indexof initcap intdiv intdivorzero
intervallengthsum ipv4numtostring ipv4stringtonum ipv6numtostring isfinite isinfinite isnan isnotnull isnull isvalidjson
isvalidutf8 isipv4string javahash json_exists json_query json_value jsonarraylength jsonextract jsonextractarrayraw
jsonextractbool jsonextractfloat jsonextractint jsonextractkeys jsonextractkeysandvalues jsonextractraw
jsonextractstring jsonextractuint jsonhas jsonkey jsonlength jsontype jumpconsistenthash kolmogorovsmirnovtest kurtpop
kurtsamp lag laginframe last_value lastday lcm lead leadinframe least left leftpad length lengthutf8 levenshteindistance
like ln locate log log10 log1p log2 lower lowerutf8 lpad ltrim l2distance makedate makedatetime map mapadd mapcontains
mapfilter mapfromarrays mapkeys mapvalues mannwhitneyutest match materialize max maxmap max_by md5 meanztest median min
minmap min_by minus minute mod modulo month monthname multiif multisearchany multisearchfirstindex murmurhash3_64 netloc
ngramdistance ngrams not notempty notequals notilike notin notlike now now64 nth_value ntile nullif or parsedatetime
parsedatetime64besteffort parsedatetimebesteffort parsedatetimebesteffortornull path pathfull percent_rank pi plus
pointinpolygon port position positioncaseinsensitive positionutf8 pow power protocol quantile quantiledeterministic
quantileexact quantileexactweighted quantileinterpolatedweighted quantiles quantilesexact quantilestdigest
quantiletdigest quantiletiming quarter querystring radians rand rand64 randcanonical range rank rankcorr regexpextract
repeat replace replaceall replaceone replaceregexpall replaceregexpone retention reverse reverseutf8 right rightpad
round roundbankers rounddown roundtoexp2 row_number rpad rtrim runningaccumulate runningdifference second sequencecount
sequencematch sequencenextnode sha1 sha256 sha512 sign simplelinearregression sin sinh siphash64 skewpop skewsamp space
sparkbar splitbychar splitbynonalpha splitbyregexp splitbystring splitbywhitespace sqrt startswith stddevpop stddevsamp
stddev_pop stddev_samp stochasticlinearregression stringjaccardindex studentttest substr substring substringindex
substringutf8 subtractdays subtracthours subtractmonths subtractweeks subtractyears sum summap sumwithoverflow sumkahan
tan tanh theilsu time timeslot timestamp timestamp_add timestamp_sub timestampdiff timezone timezoneof toboolean todate
todate32 todateornull todatetime todatetime64 todatetimeornull todayofmonth todayofweek todayofyear todecimal128
todecimal32 todecimal64 tofixedstring tofloat32 tofloat64 tofloat64ornull tofloat64orzero tohour toint16 toint32
toint32ornull toint32orzero toint64 toint64ornull toint64orzero toint8 tointervalday tointervalhour tointervalmonth
tointervalweek toisoweek toisoyear tojsonstring tolastdayofmonth tolastdayofweek tolowcardinality tominute tomonday
tomonth tonullable toquarter torelativedaynum torelativemonthnum torelativeweeknum tosecond tostartofday
tostartoffifteenminutes tostartoffiveminutes tostartofhour tostartofinterval tostartofisoyear tostartofminute
tostartofmonth tostartofquarter tostartofsecond tostartoftenminutes tostartofweek tostartofyear tostring totimezone
totypename touint16 touint32 touint64 touint64ornull touint64orzero touint8 tounixtimestamp tounixtimestamp64milli
touuid toweek toyear toyearweek toyyyymm toyyyymmdd toyyyymmddhhmmss today topleveldomain topk topkweighted transform
translate trim trimboth trimleft trimright trunc truncate trybase64decode tuple tupleelement tuplehammingdistance unhex
uniq uniqcombined uniqcombined64 uniqexact uniqhll12 uniqthetasketch upper upperutf8 uuidstringtonum varpop varsamp
var_pop var_samp vectorsum version welchttest week widthbucket width_bucket windowfunnel xor xxhash32 xxhash64 year
yesterday equals less greater lessorequals greaterorequals divide multiply negate count_distinct cume_dist
`

const ROWS = 'numbers numbers_mt zeros generate_series generateseries values null'

/** `sumIf`, `uniqArrayIf`: an aggregate with suffixes is as pure as the aggregate. */
const ENDING =
  /^(.+?)(?:if|array|map|distinct|ornull|ordefault|resample|argmin|argmax|state|merge|simplestate|mergestate|foreach)$/

export const clickhouseDialect: ParsedDialect = {
  name: 'clickhouse',
  names: { ...PLAIN_NAMES, addedColumns: ['_part', '_partition_id'] },
  spelling: spelling({
    text: 'String',
    double: 'Float64',
    // A cast fails on the first null; these functions keep it.
    asText: (column) => `toString(${column})`,
    asDouble: (column) => `toFloat64(${column})`,
    sampling: { bucket: (texts, buckets) => `cityHash64(${texts.join(', ')}) % ${buckets} = 0` },
  }),
  functions: knownFunctions({ values: VALUES, rows: ROWS, schemas: [], ending: ENDING }),
  grammar: {
    ...PLAIN_GRAMMAR,
    parser: 'clickhouse',
    exactCase: true,
    lex: {
      ...STANDARD_LEX,
      lineComments: ['--', '#'],
      nestedComments: true,
      nameQuotes: '"`',
      backslash: 'escapes',
      dollarQuotes: true,
    },
  },
  role: (parts) => ({
    sql: [
      `CREATE USER ${ROLE} IDENTIFIED BY ${ROLE_PASSWORD} SETTINGS readonly = 1`,
      ...columnGrants(parts, (columns, table) => `GRANT SELECT${columns.trimStart()} ON ${table} TO ${ROLE}`),
    ],
  }),
}
