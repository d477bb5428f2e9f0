import { readCells, readCodes, readRows } from './read-cells.ts'

/** Parsed files of a table. Fields are missing if the user's template omits them. */
interface TableFiles {
  /** Last day of its data, and the column it comes from. */
  readonly through?: { readonly day: string; readonly column: string }
  readonly columns: readonly ColumnLine[]
  readonly profile?: ProfileLines
  readonly preview?: {
    readonly note: string
    readonly columns: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }
  readonly usage?: Usage
  readonly indexes: readonly string[]
  /** Questions from the examples that read this table. */
  readonly examples: readonly string[]
  /** The SQL of a view. */
  readonly definition?: string
}

interface ColumnLine {
  readonly name: string
  readonly type: string
  readonly nulls: string
  readonly key: string
  readonly values: string
  readonly about: string
}

interface ProfileLines {
  /** Rows it was computed on. */
  readonly note: string
  readonly columns: readonly ProfiledLine[]
}

interface ProfiledLine {
  readonly name: string
  readonly nulls?: number
  readonly null_percent?: number
  readonly distinct?: number
  readonly min: string
  readonly max: string
  readonly mean: string
  readonly stddev: string
  readonly top: readonly { readonly value: string; readonly count: number }[]
}

interface Usage {
  readonly times: number
  readonly joins: readonly { readonly table: string; readonly times: number }[]
  readonly queries: readonly { readonly times: number; readonly sql: string }[]
}

/** `text` returns a document of the table without its frontmatter, or undefined if missing. */
export function readTableFiles(text: (document: string) => string | undefined): TableFiles {
  const linesOf = (document: string): readonly string[] => (text(document) ?? '').split('\n')
  const [columns, use] = [linesOf('columns'), linesOf('how_to_use')]
  const through = throughOf(columns)
  const profile = profileOf(linesOf('profiling'))
  const preview = previewOf(linesOf('preview'))
  const usage = usageOf(section(use, 'Usage'))
  const definition = fenced(section(columns, 'Definition'))[0]
  return {
    ...(through !== undefined && { through }),
    columns: columnsOf(columns),
    ...(profile !== undefined && { profile }),
    ...(preview !== undefined && { preview }),
    ...(usage !== undefined && { usage }),
    indexes: bullets(section(use, 'Indexes')),
    examples: bullets(section(use, 'Examples')),
    ...(definition !== undefined && { definition: definition.text }),
  }
}

function throughOf(lines: readonly string[]): TableFiles['through'] {
  const [, day, column] = /, data through (\d{4}-\d{2}-\d{2}) \((.{1,200})\)\.$/.exec(lines[2] ?? '') ?? []
  return day === undefined ? undefined : { day, column: column! }
}

const HEAD = ['column', 'type', 'null', 'key', 'values', 'about']

function columnsOf(lines: readonly string[]): readonly ColumnLine[] {
  const [head, ...rows] = readRows(lines)
  if (!HEAD.every((name, i) => head?.[i] === name)) return []
  return rows.map(([name = '', type = '', nulls = '', key = '', values = '', about = '']) => ({
    name,
    type,
    nulls,
    key,
    values,
    about,
  }))
}

function profileOf(lines: readonly string[]): ProfileLines | undefined {
  const [head, ...rows] = readRows(lines)
  if (head?.[0] !== 'column' || head[2] !== 'distinct') return undefined
  const tops = new Map(section(lines, 'Most frequent values').flatMap(topOf))
  const columns = rows.map(([name = '', nulls = '', distinct = '', min = '', max = '', mean = '', stddev = '']) => {
    const [, count, percent] = /^([\d,]+)(?: \(([\d.]+) %\))?$/.exec(nulls) ?? []
    return {
      name,
      ...(count !== undefined && { nulls: numberOf(count) }),
      ...(percent !== undefined && { null_percent: Number(percent) }),
      ...(/^[\d,]+$/.test(distinct) && { distinct: numberOf(distinct) }),
      min,
      max,
      mean,
      stddev,
      top: tops.get(name) ?? [],
    }
  })
  return { note: lines[2] ?? '', columns }
}

/** `- status: ``paid`` 1,600, …`; a name may contain a colon, a code never precedes one. */
function topOf(line: string): readonly (readonly [string, ProfiledLine['top']])[] {
  const at = line.indexOf(': `')
  if (!line.startsWith('- ') || at < 0) return []
  const name = readCells(`|${line.slice(2, at)}|`)?.[0] ?? ''
  const values = readCodes(line.slice(at + 2)).flatMap(({ code, after }) => {
    const count = /^ ([\d,]+)(?:, )?$/.exec(after)?.[1]
    return count === undefined ? [] : [{ value: code, count: numberOf(count) }]
  })
  return [[name, values]]
}

function previewOf(lines: readonly string[]): TableFiles['preview'] {
  const [columns, ...rows] = readRows(lines)
  return columns === undefined ? undefined : { note: lines[2] ?? '', columns, rows }
}

function usageOf(lines: readonly string[]): Usage | undefined {
  const times = /^Read ([\d,]+) times/.exec(lines.find((line) => line !== '') ?? '')?.[1]
  if (times === undefined) return undefined
  const joins = lines.flatMap((line) => {
    const [first] = line.startsWith('- `') ? readCodes(line) : []
    const count = / \(([\d,]+) times\)$/.exec(first?.after ?? '')?.[1]
    return first === undefined || count === undefined ? [] : [{ table: first.code, times: numberOf(count) }]
  })
  const queries = fenced(lines).map(({ text, before }) => ({
    times: numberOf(/^([\d,]+) times:/.exec(before)?.[1] ?? '1'),
    sql: text,
  }))
  return { times: numberOf(times), joins, queries }
}

/** Lines below a heading up to the next one; headings inside code do not count. */
function section(lines: readonly string[], heading: string): readonly string[] {
  const from = lines.indexOf(`## ${heading}`)
  if (from < 0) return []
  let fence = ''
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at]!
    if (fence !== '') fence = line === fence ? '' : fence
    else if (/^`{3,}/.test(line)) fence = /^`+/.exec(line)![0]
    else if (line.startsWith('## ')) return lines.slice(from + 1, at)
  }
  return lines.slice(from + 1)
}

/** Code blocks, each with the last line of text before it. */
function fenced(lines: readonly string[]): readonly { readonly text: string; readonly before: string }[] {
  const found: { text: string; before: string }[] = []
  let before = ''
  for (let at = 0; at < lines.length; at++) {
    const fence = /^`{3,}/.exec(lines[at]!)?.[0]
    if (fence === undefined) {
      before = lines[at] === '' ? before : lines[at]!
      continue
    }
    const end = lines.indexOf(fence, at + 1)
    if (end < 0) break
    found.push({ text: lines.slice(at + 1, end).join('\n'), before })
    at = end
  }
  return found
}

const bullets = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))

const numberOf = (text: string): number => Number(text.replaceAll(',', ''))
