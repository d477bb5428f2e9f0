/** The parsed columns.md of a table. */
export interface ColumnsPage {
  readonly about: string
  /** By column name. */
  readonly lines: ReadonlyMap<string, string>
}

/** Parses the Markdown that `ken sync` writes; a page from a custom template may have no such table. */
export function readColumnsPage(text: string): ColumnsPage {
  const [head = '', rest = ''] = text.split(/^## Columns.*$/m)
  const rows = rest.split('\n').filter((line) => line.startsWith('| '))
  const titles = rows[0] === undefined ? [] : cellsOf(rows[0])
  const lines = new Map<string, string>()
  for (const row of rows.slice(2)) {
    const cells = cellsOf(row)
    const [name] = cells
    if (name === undefined || cells.length !== titles.length) continue
    const told = cells.slice(1).flatMap((cell, i) => {
      if (titles[i + 1] !== 'null') return cell === '' ? [] : [cell]
      return cell === '' || UNTELLING.has(cell) ? [] : [`${cell} null`]
    })
    lines.set(plain(name), `- ${name}: ${told.join(' · ')}`)
  }
  const about = head
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.replace(/^> /, ''))
    .join(' ')
    .replace(OPENING, '')
  return { about: about.slice(0, LONGEST_ABOUT), lines }
}

/** Notes that are not worth showing: no nulls, or possible nulls. */
const UNTELLING: ReadonlySet<string> = new Set(['no', 'yes', '0%', '0 %'])
const LONGEST_ABOUT = 400
/** Opening of a table description that only repeats the table name. */
const OPENING = /^[A-Z][a-z ]{0,30}`[^`]{0,400}` in the [^,.]{0,200}[,.] ?/

const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

/** The name without Markdown escapes. */
const plain = (cell: string): string => cell.replaceAll(/\\(.)/g, '$1')
