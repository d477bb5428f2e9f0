import type { CompiledTable } from './manifest.ts'

// The page is read as a whole; beyond this limit, each table's own file lists its joins.
const MOST_LINES = 400
const MOST_DRAWN = 60

interface Join {
  readonly from: string
  readonly columns: readonly string[]
  readonly to: string
  readonly referenced: readonly string[]
  readonly about: string
  readonly isDeclared?: boolean
}

/** The joins of one database's tables on one page: declared keys, inferred joins with their evidence, and a diagram. */
export function joinMap(database: string, tables: readonly CompiledTable[]): string | undefined {
  const sorted = tables.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const declared = sorted.flatMap((table) =>
    table.foreign_keys.map((key): Join => ({
      from: nameOf(table),
      to: key.table,
      about: key.unique ? '1:1' : 'n:1',
      isDeclared: true,
      ...key,
    })),
  )
  const inferred = sorted.flatMap((table) =>
    (table.inferred_joins ?? []).map((join) => ({
      why: join.why,
      from: nameOf(table),
      columns: [join.column],
      to: join.table,
      referenced: [join.referenced],
      about: join.about,
    })),
  )
  if (declared.length + inferred.length === 0) return undefined
  const { single, groups } = sharedKeys(inferred)
  return [
    `# Joins of ${database}`,
    ...section('Declared', 'Foreign keys of the database.', declared.map(lineOf)),
    ...section(
      'Inferred',
      'Nobody declared these: names suggest them, and rows bear them out where that is said.',
      single.map(lineOf),
    ),
    ...section(
      'Shared',
      'Columns of one name in several tables, of which none owns it: equal values belong together.',
      groups.map(({ column, tables: among }) => `- ${code(column)} in ${among.map(code).join(', ')}`),
    ),
    '',
    '## Diagram',
    '',
    ...diagram([...declared, ...single]),
    '',
  ].join('\n')
}

const nameOf = (table: CompiledTable): string => `${table.schema}.${table.name}`

/** Groups joins by a column shared by many tables, which would take a line for each pair. */
function sharedKeys(joins: readonly (Join & { readonly why: string })[]): {
  readonly single: readonly Join[]
  readonly groups: readonly { readonly column: string; readonly tables: readonly string[] }[]
} {
  const shared = Map.groupBy(
    joins.filter(({ why }) => why === 'shared'),
    ({ columns }) => columns[0]!.toLowerCase(),
  )
  const large = new Map([...shared].filter(([, pairs]) => pairs.length > 2))
  return {
    single: joins.filter(({ why, columns }) => why !== 'shared' || !large.has(columns[0]!.toLowerCase())),
    groups: [...large.values()].map((pairs) => ({
      column: pairs[0]!.columns[0]!,
      tables: [...new Set(pairs.flatMap(({ from, to }) => [from, to]))].toSorted(),
    })),
  }
}

const section = (title: string, about: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [
        '',
        `## ${title} (${lines.length})`,
        '',
        about,
        '',
        ...lines.slice(0, MOST_LINES),
        ...(lines.length > MOST_LINES
          ? [`- and ${lines.length - MOST_LINES} more; each table's how_to_use.md has its own`]
          : []),
      ]

const lineOf = ({ from, columns, to, referenced, about }: Join): string => {
  const place = (table: string, names: readonly string[]): string =>
    names.map((name) => code(`${table}.${name}`)).join(' + ')
  return `- ${place(from, columns)} → ${place(to, referenced)} (${about})`
}

const code = (text: string): string => `\`${text.replaceAll(/[`\n\r]/g, ' ')}\``

/** The tables with the most joins as a Mermaid diagram; a diagram of hundreds of tables is unreadable. */
function diagram(joins: readonly Join[]): readonly string[] {
  const degree = new Map<string, number>()
  for (const { from, to } of joins) for (const table of [from, to]) degree.set(table, (degree.get(table) ?? 0) + 1)
  const drawn = new Set(
    [...degree.keys()].toSorted((a, b) => degree.get(b)! - degree.get(a)! || (a < b ? -1 : 1)).slice(0, MOST_DRAWN),
  )
  const left = degree.size - drawn.size
  const edges = new Set(
    joins
      .filter(({ from, to }) => drawn.has(from) && drawn.has(to))
      .map(
        ({ from, to, columns, isDeclared = false }) =>
          `  ${entity(from)} }o--|| ${entity(to)} : ${label(columns, isDeclared)}`,
      ),
  )
  return [
    ...(left > 0 ? [`The ${drawn.size} tables with most joins; ${left} more have some.`, ''] : []),
    '```mermaid',
    'erDiagram',
    ...edges,
    '```',
  ]
}

const entity = (table: string): string => `"${table.replaceAll(/["\n\r`]/g, ' ')}"`
const label = (columns: readonly string[], isDeclared: boolean): string =>
  `"${[columns.join(', ').replaceAll(/["\n\r`]/g, ' '), ...(isDeclared ? [] : ['inferred'])].join(' · ')}"`
