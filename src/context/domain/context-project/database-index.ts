import { estimateTokens, linkTarget, type CompiledTable } from './manifest.ts'

/** A compiled table with the place and size of its files. */
export interface IndexedTable {
  readonly table: CompiledTable
  /** The table's folder, relative to the database folder. */
  readonly folder: string
  readonly tokens: number
  /** The day on which the table's files last changed. */
  readonly changed: string
}

export interface IndexPage {
  /** Path relative to the database folder. */
  readonly path: string
  readonly text: string
}

/** Maximum tokens of the first page, which an agent reads before it reads more. */
const LEAN = 1_000
const MOST_LINES = 1_500

/**
 * The pages that list the tables of one database: one if it is small; otherwise one of schemas, with a page for each.
 * Every page states the cost of reading further.
 */
export function databaseIndex(
  database: string,
  tables: readonly IndexedTable[],
  more: readonly string[],
): readonly IndexPage[] {
  const sorted = tables.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const head = [
    `# ${database}`,
    '',
    `${counted(sorted.length, 'table')}, ${number(sum(sorted.map(({ tokens }) => tokens)))} tokens in all files.${more.length === 0 ? '' : ` See also ${more.map((file) => `[${file}](${file})`).join(', ')}.`}`,
    '',
  ]
  const whole = [...head, ...sorted.map((one) => lineOf(one, nameOf(one), one.folder)), ''].join('\n')
  if (estimateTokens(whole) <= LEAN || sorted.length <= FEW) return [{ path: 'index.md', text: whole }]
  const schemas = [...Map.groupBy(sorted, ({ table }) => table.schema)]
  return [
    {
      path: 'index.md',
      text: [
        ...head,
        'Each schema has a page with a line for each of its tables.',
        '',
        ...schemas.map(([schema, own]) => schemaLine(schema, own)),
        '',
      ].join('\n'),
    },
    ...schemas.map(([schema, own]) => ({
      path: `${schemaFolder(own)}/index.md`,
      text: [`# ${database}: ${schema}`, '', ...schemaLines(own), ''].join('\n'),
    })),
  ]
}

const FEW = 15
const MOST_NAMED = 12
const MOST_IN_DETAIL = 200

/**
 * Lists the tables of a schema. Thousands of tables are grouped by the first word of their names; a line for each would
 * be longer than the rest.
 */
function schemaLines(tables: readonly IndexedTable[]): readonly string[] {
  if (tables.length <= MOST_IN_DETAIL)
    return tables.map((one) => lineOf(one, one.table.name, one.folder.slice(one.folder.indexOf('/') + 1)))
  const families = [...Map.groupBy(tables, ({ table }) => /^[^_\d]+/.exec(table.name)?.[0].toLowerCase() ?? '')]
  const lines = families
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([family, own]) =>
      own.length === 1
        ? `- ${nameAndRows(own[0]!)}`
        : `- **${clean(family)}…** ${counted(own.length, 'table')}: ${own.slice(0, MOST_NAMED).map(nameAndRows).join(', ')}${own.length > MOST_NAMED ? ', …' : ''}`,
    )
  return [
    `${counted(tables.length, 'table')}. Ask list_tables with a question or a glob for the ones you need.`,
    '',
    ...lines.slice(0, MOST_LINES),
    ...(lines.length > MOST_LINES ? [`- and ${lines.length - MOST_LINES} more families`] : []),
  ]
}

function schemaLine(schema: string, own: readonly IndexedTable[]): string {
  const largest = own
    .toSorted(
      (a, b) =>
        joinsOf(b) - joinsOf(a) || (b.table.rows ?? 0) - (a.table.rows ?? 0) || (nameOf(a) < nameOf(b) ? -1 : 1),
    )
    .slice(0, LARGEST_NAMED)
  const changed =
    own
      .map((one) => one.changed)
      .toSorted()
      .at(-1) ?? ''
  return `- [${clean(schema)}](${linkTarget(`${schemaFolder(own)}/index.md`)}): ${counted(own.length, 'table')}, ${number(sum(own.map(({ table }) => table.rows ?? 0)))} rows, changed ${changed}; ${largest.map(({ table }) => clean(table.name)).join(', ')}${own.length > largest.length ? ', …' : ''}`
}

const LARGEST_NAMED = 8
const joinsOf = ({ table }: IndexedTable): number => table.foreign_keys.length + (table.inferred_joins?.length ?? 0)
const schemaFolder = ([one]: readonly IndexedTable[]): string => one!.folder.slice(0, one!.folder.indexOf('/'))
const nameOf = ({ table }: IndexedTable): string => `${table.schema}.${table.name}`
const nameAndRows = ({ table }: IndexedTable): string =>
  `${clean(table.name)}${table.rows === undefined ? '' : ` (${number(table.rows)})`}`

function lineOf({ table, tokens, changed }: IndexedTable, name: string, folder: string): string {
  const about = firstSentence(table.comment)
  return `- [${clean(name)}](${linkTarget(folder)})${about === '' ? '' : `: ${about}`} · ${[
    table.kind === 'table' ? '' : table.kind,
    table.rows === undefined ? '' : `${number(table.rows)} rows`,
    `${table.columns.length} columns`,
    `${number(tokens)} tokens`,
    changed,
  ]
    .filter(Boolean)
    .join(', ')}`
}

const LONGEST_ABOUT = 100

/**
 * Returns the first sentence of third-party text: on one line, and without characters that would end a link or begin a
 * heading.
 */
function firstSentence(comment: string | undefined): string {
  const [sentence = ''] = clean(comment ?? '').split(/(?<=[.!?])\s/)
  return sentence.length <= LONGEST_ABOUT ? sentence : `${sentence.slice(0, LONGEST_ABOUT - 1)}…`
}

const clean = (text: string): string =>
  text
    .slice(0, 1_000)
    .replaceAll(/[[\]\s`|<>]+/g, ' ')
    .trim()
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const number = (value: number): string => value.toLocaleString('en-US')
const counted = (count: number, what: string): string => `${number(count)} ${what}${count === 1 ? '' : 's'}`
