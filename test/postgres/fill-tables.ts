import type { SqlSession } from '../../src/kernel/ports/sql-database.ts'

export interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** Texts that a check constraint or an enumeration allows. */
  readonly choices: readonly string[]
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly references: readonly {
    readonly from: readonly string[]
    readonly table: string
    readonly to: readonly string[]
  }[]
}

/** A row, its values as text. */
export type Row = Readonly<Record<string, string | null>>

// Column values for tables that reject values generated from their column types.
const SAMPLES: Readonly<Record<string, Row>> = {
  retention: { audit_days: '365', deleted_days: '30', chat_days: '90' },
}

/** All Ken tables except the migrations; each comes after the tables it refers to. */
export async function readTables(sql: SqlSession): Promise<readonly Table[]> {
  const tables = (await sql.query<Table>(TABLES)).filter(({ name }) => name !== 'migrations')
  const names = new Set(tables.map(({ name }) => name))
  const ordered: Table[] = []
  while (ordered.length < tables.length) {
    const placed = new Set(ordered.map(({ name }) => name))
    const next = tables.filter(
      (table) =>
        !placed.has(table.name) &&
        table.references.every(
          (one) => one.table === table.name || placed.has(one.table) || !names.has(one.table) || isOptional(table, one),
        ),
    )
    if (next.length === 0) throw new Error('tables that refer to each other and must')
    ordered.push(...next)
  }
  return ordered
}

/** The id of a tenant's project or person, in `projects` and in every column of that name. */
export const tenantId = (tag: string, what: 'project' | 'person'): string =>
  `${tag}-${what === 'project' ? 'projects' : 'people'}-id`

/**
 * Inserts one row into every table for one tenant, with a value in every column, or in as many as the checks allow.
 * Returns the rows.
 */
export async function fillTables(
  sql: SqlSession,
  tables: readonly Table[],
  tag: string,
): Promise<ReadonlyMap<string, Row>> {
  const filled = new Map<string, Row>()
  for (const table of tables) filled.set(table.name, await insertSample(sql, table, sampleRow(table, tag, filled)))
  return filled
}

/** Returns a tenant's sample row without writing it. */
export function sampleRow(table: Table, tag: string, filled: ReadonlyMap<string, Row>): Row {
  const row: Record<string, string | null> = {}
  for (const column of table.columns) row[column.name] = valueOf(table.name, column, tag)
  for (const { from, table: target, to } of table.references) {
    const other = target === table.name ? row : filled.get(target)
    for (const [at, name] of from.entries()) row[name] = other?.[to[at]!] ?? null
  }
  return { ...row, ...SAMPLES[table.name] }
}

export async function insertRow(sql: SqlSession, table: Table, row: Row): Promise<Row> {
  const given = table.columns.filter(({ name }) => row[name] !== undefined)
  const columns = given.map(({ name }) => `"${name}"`).join(', ')
  const values = given.map(({ type }, at) => `$${at + 1}::text::${type}`).join(', ')
  const texts = table.columns.map(({ name }) => `"${name}"::text AS "${name}"`).join(', ')
  const [written] = await sql.query<Record<string, string | null>>(
    `INSERT INTO ken."${table.name}" (${columns}) VALUES (${values}) RETURNING ${texts}`,
    given.map(({ name }) => row[name]!),
  )
  return written!
}

/** Checks may require some columns to be null together, so this retries with fewer and fewer nullable columns. */
export async function insertSample(sql: SqlSession, table: Table, row: Row): Promise<Row> {
  const optional = table.columns.filter(({ name, nullable }) => nullable && row[name] != null).map(({ name }) => name)
  let fault: unknown
  for (let without = 0; without < Math.min(2 ** optional.length, 256); without++) {
    const fewer = { ...row }
    for (const [at, name] of optional.entries()) if ((without >> at) & 1) fewer[name] = null
    await sql.query('SAVEPOINT sample')
    try {
      return await insertRow(sql, table, fewer)
    } catch (error) {
      fault = error
      await sql.query('ROLLBACK TO SAVEPOINT sample')
    }
  }
  throw new Error(`no row for ken.${table.name}: give it one in SAMPLES (${(fault as Error).message})`, {
    cause: fault,
  })
}

function valueOf(table: string, { name, type, choices }: Column, tag: string): string {
  if (name === 'project' || name === 'person') return tenantId(tag, name)
  const seed = [...`${tag} ${table} ${name}`].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9_973, 7)
  if (choices.length > 0) return choices[seed % choices.length]!
  const [, plain = type, size] = /^([a-z_ ]+?)(?:\((\d+)[^)]*\))?(?:\[\])?$/.exec(type) ?? []
  if (type.endsWith('[]'))
    return `{${valueOf(table, { name, type: type.slice(0, -2), nullable: false, choices }, tag)}}`
  const byType: Readonly<Record<string, () => string>> = {
    boolean: () => String(seed % 2 === 0),
    bytea: () => `\\x${seed.toString(16).padStart(4, '0')}`,
    date: () => '2026-05-01',
    inet: () => `10.0.${seed % 250}.1`,
    interval: () => `${seed} seconds`,
    json: () => `{"${tag}": ${seed}}`,
    jsonb: () => `{"${tag}": ${seed}}`,
    tsvector: () => `${tag}${seed}`,
    uuid: () => `00000000-0000-4000-8000-${String(seed).padStart(12, '0')}`,
    vector: () => `[${Array.from({ length: Number(size ?? 3) }, (_, at) => (at % 7) + 1).join(',')}]`,
    halfvec: () => `[${Array.from({ length: Number(size ?? 3) }, (_, at) => (at % 7) + 1).join(',')}]`,
  }
  if (/^(?:smallint|integer|bigint|real|double precision|numeric)$/.test(plain)) return String(seed + 1)
  if (type.startsWith('timestamp')) return `2026-05-01T10:00:${String(seed % 60).padStart(2, '0')}Z`
  const text = `${tag}-${table}-${name}`
  return byType[plain]?.() ?? (size === undefined ? text : text.slice(0, Number(size)))
}

const isOptional = (table: Table, { from }: Table['references'][number]): boolean =>
  from.some((name) => table.columns.find((column) => column.name === name)!.nullable)

// Only the parent of a partitioned table; without columns that the database fills.
const TABLES = `
  SELECT c.relname::text AS name,
    (SELECT jsonb_agg(jsonb_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', NOT a.attnotnull,
        'choices', coalesce(
          (SELECT jsonb_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid),
          (SELECT jsonb_agg(word[1]) FROM pg_constraint k, regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::', 'g') word
           WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) LIKE '%= ANY (%'),
          '[]')) ORDER BY a.attnum)
     FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity <> 'a') AS columns,
    coalesce((SELECT jsonb_agg(jsonb_build_object(
        'from', (SELECT jsonb_agg(a.attname ORDER BY n) FROM unnest(k.conkey) WITH ORDINALITY u(num, n) JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num),
        'table', (SELECT relname FROM pg_class WHERE oid = k.confrelid),
        'to', (SELECT jsonb_agg(a.attname ORDER BY n) FROM unnest(k.confkey) WITH ORDINALITY u(num, n) JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num)))
     FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'), '[]') AS "references"
  FROM pg_class c
  WHERE c.relnamespace = 'ken'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY 1`
