import { sha256 } from '../../../kernel/domain/sha256.ts'

/** Document that a source writes about an item it read. */
export interface SourcePage {
  /** Stable while it describes the same item. */
  readonly id: string
  readonly title: string
  /** Folder below the source's folder, e.g. `metrics`. */
  readonly folder: string
  /** File name without extension, if it differs from the title. */
  readonly file?: string
  readonly fingerprint: string
  readonly text: string
}

export interface ReadPages {
  readonly pages: readonly SourcePage[]
  readonly skipped: readonly { readonly title: string; readonly reason: string }[]
}

/** In characters; document readers cannot use a longer page. */
export const LONGEST_PAGE = 1024 * 1024

/** Collects pages; those too long for a document reader are listed instead. */
export function collectPages(): {
  add(page: Pick<SourcePage, 'id' | 'title' | 'folder' | 'file'>, parts: readonly PagePart[]): void
  skip(title: string, reason: string): void
  done(): ReadPages
} {
  const pages: SourcePage[] = []
  const skipped: { title: string; reason: string }[] = []
  return {
    add(page, parts) {
      const text = pageText(parts)
      if (text.length > LONGEST_PAGE) skipped.push({ title: page.title, reason: 'its page would be longer than 1 MB' })
      else pages.push({ ...page, text, fingerprint: sha256(text).slice(0, 16) })
    },
    skip: (title, reason) => void skipped.push({ title, reason }),
    done: () => ({ pages, skipped }),
  }
}

/** Empty, false or undefined parts are left out. */
export type PagePart = string | false | undefined

/** Joins parts with blank lines. */
export const pageText = (parts: readonly PagePart[]): string =>
  `${parts
    .map((part) => (part || '').trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`

export const lines = (parts: readonly PagePart[]): string =>
  parts.filter((part) => part !== '' && part !== false && part !== undefined).join('\n')

export const section = (title: string, body: PagePart): PagePart => body && `## ${title}\n\n${body}`

/** Table without columns that are empty in every row, because every token of a page costs. */
export function table(head: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  if (rows.length === 0) return ''
  const filled = head.map((_, i) => i === 0 || rows.some((row) => (row[i] ?? '') !== ''))
  const line = (cells: readonly (string | undefined)[]): string =>
    `| ${cells
      .filter((_, i) => filled[i])
      .map((cell) => cellText(cell ?? ''))
      .join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const cellText = (text: string): string => oneLine(text).replaceAll('|', String.raw`\|`)

/** Inline code, including text that contains backticks. */
export function code(text: string): string {
  const plain = oneLine(text)
  return plain.includes('`') ? `\`\` ${plain.replaceAll('``', '` `')} \`\`` : `\`${plain}\``
}

/** Code block with a fence that the text cannot close. */
export function fenced(language: string, text: string): string {
  const body = text.trim()
  if (body === '') return ''
  const longest = (body.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${body}\n${fence}`
}

/** Removes the indentation common to all lines but the first, because it costs tokens too. */
export function dedented(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n')
  const depth = rest.reduce((least, line) => {
    const own = line.search(/\S/)
    return own < 0 ? least : Math.min(least, own)
  }, Infinity)
  return [first, ...rest.map((line) => line.slice(Math.min(depth, line.length)).trimEnd())].join('\n')
}

/** SQL on one line, without line comments, which would swallow the rest. */
export const sqlLine = (sql: string): string =>
  oneLine(sql.includes('\n') ? sql.replaceAll(/(?:^|(?<=\s))--[ \t][^\n]*/g, ' ') : sql)

/** Name parts of a quoted path: `"db"."mart"."orders"` becomes `db.mart.orders`. */
export const plainName = (name: string): string => oneLine(name.replaceAll(/["`[\]]/g, ''))
