import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { mssqlDialect } from './dialect.ts'
import { openMssqlDriver } from './driver.ts'
import type { MssqlConnection } from './index.ts'

export async function openMssqlWarehouse(given: MssqlConnection): Promise<Warehouse> {
  const engine = mssqlEngine(given)
  const driver = await connectTo(`the SQL Server database ${given.database}`, engine.secrets, () =>
    openMssqlDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const mssqlEngine = ({ database, schema, password, client_secret, token }: MssqlConnection): RemoteEngine => ({
  dialect: mssqlDialect,
  database,
  searchPath: [schema],
  secrets: [password, client_secret, token],
  readCatalogue,
  historySql: (limit) => `
    SELECT TOP ${limit} t.text AS sql_text, sum(s.execution_count) AS times, max(s.last_execution_time) AS last_seen
    FROM sys.dm_exec_query_stats s CROSS APPLY sys.dm_exec_sql_text(s.sql_handle) t
    WHERE t.dbid = db_id() AND (ltrim(t.text) LIKE 'SELECT%' OR ltrim(t.text) LIKE 'WITH%') GROUP BY t.text ORDER BY times DESC`,
  quote: (identifier) => `[${identifier.replaceAll(']', ']]')}]`,
})

const KEY = 'schema_name(o.schema_id) AS schema_name, o.name AS table_name'
const OWN = "o.type IN ('U', 'V', 'ET') AND o.is_ms_shipped = 0"

/** Whole catalogue in five queries over the sys views. Comments are the extended property MS_Description. */
async function readCatalogue(rows: RunRows): Promise<CatalogueRows> {
  const tables = await rows(`
    SELECT ${KEY}, CASE o.type WHEN 'V' THEN 'view' WHEN 'ET' THEN 'external' ELSE 'table' END AS kind,
      CAST(e.value AS nvarchar(max)) AS comment_text,
      m.definition AS view_sql, (SELECT sum(p.rows) FROM sys.partitions p WHERE p.object_id = o.object_id AND p.index_id IN (0,
        1)) AS row_estimate,
      (SELECT TOP 1 c.name FROM sys.index_columns k JOIN sys.columns c ON c.object_id = k.object_id AND c.column_id = k.column_id
        WHERE k.object_id = o.object_id AND k.partition_ordinal > 0) AS partition_key
    FROM sys.objects o LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id
      LEFT JOIN sys.extended_properties e ON e.class = 1 AND e.major_id = o.object_id AND e.minor_id = 0 AND e.name = 'MS_Description'
    WHERE ${OWN} ORDER BY 1, 2`)
  // Needs VIEW SERVER STATE, and is reset when the server restarts.
  const written = await rows(`
    SELECT ${KEY}, concat(max(u.last_user_update), ' ', sum(u.user_updates)) AS data_mark,
      convert(varchar(19), dateadd(minute, datediff(minute, getdate(), getutcdate()), max(u.last_user_update)), 126) AS changed_at
    FROM sys.objects o JOIN sys.dm_db_index_usage_stats u ON u.object_id = o.object_id AND u.database_id = db_id() AND u.index_id IN (0, 1)
    WHERE ${OWN} GROUP BY o.schema_id, o.name`).catch((): readonly Row[] => [])
  const columns = await rows(`
    SELECT ${KEY}, c.name AS column_name, c.is_nullable AS nullable, d.definition AS default_text,
      CAST(e.value AS nvarchar(max)) AS comment_text,
      CASE WHEN c.is_identity = 1 THEN 'identity' ELSE g.definition END AS generated,
      CASE WHEN y.is_user_defined = 1 THEN b.name END AS base_type,
      CASE WHEN y.name IN ('nvarchar', 'nchar') THEN concat(y.name, '(', CASE c.max_length WHEN -1
        THEN 'max' ELSE CAST(c.max_length / 2 AS varchar) END, ')')
        WHEN y.name IN ('varchar', 'char', 'varbinary', 'binary') THEN concat(y.name, '(', CASE c.max_length WHEN -1
          THEN 'max' ELSE CAST(c.max_length AS varchar) END, ')')
        WHEN y.name IN ('decimal', 'numeric') THEN concat(y.name, '(', c.precision, ',', c.scale, ')') ELSE y.name END AS data_type
    FROM sys.objects o JOIN sys.columns c ON c.object_id = o.object_id JOIN sys.types y ON y.user_type_id = c.user_type_id
      LEFT JOIN sys.types b ON b.user_type_id = y.system_type_id
      LEFT JOIN sys.computed_columns g ON g.object_id = c.object_id AND g.column_id = c.column_id
      LEFT JOIN sys.default_constraints d ON d.object_id = c.default_object_id
      LEFT JOIN sys.extended_properties e ON e.class = 1 AND e.major_id = o.object_id AND e.minor_id = c.column_id
        AND e.name = 'MS_Description'
    WHERE ${OWN} ORDER BY 1, 2, c.column_id`)
  const keys = await rows(`
    SELECT ${KEY}, i.name AS index_name, CASE WHEN i.has_filter = 1 THEN 0 ELSE i.is_unique END AS is_unique, i.is_primary_key, c.name AS column_name
    FROM sys.objects o JOIN sys.indexes i ON i.object_id = o.object_id AND i.type > 0
      JOIN sys.index_columns k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.is_included_column = 0
      JOIN sys.columns c ON c.object_id = k.object_id AND c.column_id = k.column_id
    WHERE ${OWN} ORDER BY 1, 2, 3, k.key_ordinal`)
  const foreignKeys = await rows(`
    SELECT ${KEY}, f.name AS constraint_name, c.name AS column_name, schema_name(r.schema_id) AS to_schema, r.name AS to_table,
      rc.name AS to_column
    FROM sys.foreign_keys f JOIN sys.objects o ON o.object_id = f.parent_object_id JOIN sys.objects r
      ON r.object_id = f.referenced_object_id
      JOIN sys.foreign_key_columns k ON k.constraint_object_id = f.object_id
      JOIN sys.columns c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
      JOIN sys.columns rc ON rc.object_id = k.referenced_object_id AND rc.column_id = k.referenced_column_id
    WHERE ${OWN} ORDER BY 1, 2, 3, k.constraint_column_id`)
  const checks = await rows(`
    SELECT ${KEY}, k.definition AS expression FROM sys.check_constraints k JOIN sys.objects o ON o.object_id = k.parent_object_id
    WHERE ${OWN} AND k.is_disabled = 0 ORDER BY 1, 2, k.name`)
  const writtenOf = new Map(written.map((row) => [keyOf(row), row]))
  return toCatalogueRows({
    tables: tables.map((row) => ({
      ...row,
      ...writtenOf.get(keyOf(row)),
      data_mark:
        row['row_estimate'] == null
          ? null
          : `${String(row['row_estimate'])} ${String(writtenOf.get(keyOf(row))?.['data_mark'] ?? '')}`,
    })),
    columns,
    checks,
    primaryKeys: keys.filter(isPrimary),
    foreignKeys,
    indexes: keys.filter((row) => !isPrimary(row)),
  })
}

const isPrimary = (row: Row): boolean => row['is_primary_key'] === true || Number(row['is_primary_key']) === 1
const keyOf = (row: Row): string => JSON.stringify([row['schema_name'], row['table_name']])
