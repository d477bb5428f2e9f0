import {
  PLAIN_GRAMMAR,
  PLAIN_NAMES,
  STANDARD_LEX,
  type ParsedDialect,
  spelling,
  samplePercent,
} from '../../domain/sql/dialect.ts'
import { columnGrants, ROLE, ROLE_PASSWORD } from '../../domain/sql/reader-role.ts'
import { knownFunctions } from '../../domain/sql/refused-functions.ts'
import { SHARED_FUNCTIONS } from '../shared-functions.ts'

/** Functions that only compute from their arguments or return the time, besides the functions that engines share. */
const VALUES = `
approx_percentile_cont approx_percentile_disc atn2 binary_checksum bit_count charindex checksum checksum_agg choose compress convert count_big current_timezone
datalength date_bucket datefromparts datename datepart datetime2fromparts datetimefromparts datetimeoffsetfromparts datetrunc day decompress
difference edit_distance eomonth format getdate getutcdate hashbytes iif isdate isjson isnull isnumeric json_arrayagg json_objectagg
json_modify json_path_exists newid nchar parse patindex quotename replicate smalldatetimefromparts space square stdev stdevp str
stuff switchoffset sysdatetime sysdatetimeoffset sysutcdatetime timefromparts todatetimeoffset try_convert try_parse var varp string_escape
left_shift right_shift jaro_winkler_similarity exist value query nodes current_timezone_id
`

const STATEMENTS =
  'INTO INSERT UPDATE DELETE MERGE DROP CREATE ALTER TRUNCATE EXEC EXECUTE GRANT REVOKE DENY BACKUP RESTORE DECLARE SET KILL SHUTDOWN ' +
  'WAITFOR BEGIN COMMIT ROLLBACK SAVE DBCC BULK RECONFIGURE PRINT RAISERROR GOTO IF WHILE RETURN OPEN CLOSE DEALLOCATE CHECKPOINT ' +
  'WRITETEXT UPDATETEXT READTEXT'

export const mssqlDialect: ParsedDialect = {
  name: 'mssql',
  sampled: (table, rows, of) => `${table} TABLESAMPLE (${samplePercent(rows, of)} PERCENT) REPEATABLE (1)`,
  names: { ...PLAIN_NAMES, caseBySetting: true, secondNames: ['$rowguid', '$identity'] },
  spelling: spelling({
    // Without a length, a cast cuts at 30 characters.
    text: 'NVARCHAR(4000)',
    double: 'FLOAT',
    firstRows: (select, count) => select.replace(/^SELECT\b/, `SELECT TOP ${count}`),
    standardDeviation: (expression) => `STDEV(${expression})`,
    sampling: {
      seeks: true,
      blocks: (table, percent) => `${table} TABLESAMPLE SYSTEM (${percent} PERCENT) REPEATABLE (1)`,
    },
  }),
  functions: knownFunctions({
    values: `${SHARED_FUNCTIONS} ${VALUES}`,
    rows: 'openjson string_split generate_series',
    schemas: [],
  }),
  grammar: {
    ...PLAIN_GRAMMAR,
    parser: 'mssql',
    recursiveByNature: true,
    explains: false,
    never: STATEMENTS.split(' '),
    // A table on a linked server has four parts.
    isExternal: (name) => name.length > 3,
    lex: { ...STANDARD_LEX, nestedComments: true, nameQuotes: '"[' },
  },
  role: (parts) => ({
    sql: [
      `CREATE LOGIN ${ROLE} WITH PASSWORD = ${ROLE_PASSWORD}`,
      `CREATE USER ${ROLE} FOR LOGIN ${ROLE}`,
      ...columnGrants(parts, (columns, table) => `GRANT SELECT ON OBJECT::${table}${columns} TO ${ROLE}`),
    ],
  }),
}
