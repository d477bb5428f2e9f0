import { markdownRows } from './markdown-rows.ts'
import { parseMarkup, type MarkupElement } from './parse-markup.ts'

/** The content parts of a .docx file; missing ones are empty. */
export interface DocxParts {
  /** word/document.xml */
  readonly document: string
  /** word/_rels/document.xml.rels: link targets. */
  readonly links: string
  /** word/styles.xml: heading styles, in any language. */
  readonly styles: string
  /** word/numbering.xml: numbered lists. */
  readonly numbering: string
}

interface Rules {
  readonly targets: ReadonlyMap<string, string>
  readonly headings: ReadonlyMap<string, number>
  readonly numbered: ReadonlySet<string>
}

/** A Word or Google Docs document as Markdown: headings, lists, tables, links and emphasis. */
export function docxToMarkdown({ document, links, styles, numbering }: DocxParts): string {
  const rules = { targets: targetsIn(links), headings: headingsIn(styles), numbered: numberedIn(numbering) }
  const body = findAll(parseMarkup(document), 'w:body')[0]
  return body === undefined ? '' : `${blocks(body.children, rules).trim()}\n`
}

type Node = MarkupElement | string

/** Descends into wrappers such as `w:sdt` and `w:ins`; deleted text is omitted. */
function blocks(nodes: readonly Node[], rules: Rules): string {
  const parts: { readonly text: string; readonly isItem: boolean }[] = []
  const visit = (node: Node): void => {
    if (typeof node === 'string' || node.tag === 'w:del' || node.tag === 'w:sectpr') return
    if (node.tag === 'w:p') parts.push(paragraph(node, rules))
    else if (node.tag === 'w:tbl') parts.push({ text: table(node, rules), isItem: false })
    else for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  const said = parts.filter(({ text }) => text !== '')
  return said
    .map(({ text, isItem }, i) => (i === 0 ? text : (isItem && said[i - 1]!.isItem ? '\n' : '\n\n') + text))
    .join('')
}

function paragraph(element: MarkupElement, { targets, headings, numbered }: Rules) {
  const properties = child(element, 'w:ppr')
  const text = inline(element, targets).trim()
  const style = value(child(properties, 'w:pstyle'))
  const level = headings.get(style) ?? headings.get(style.toLowerCase())
  if (text === '') return { text: '', isItem: false }
  if (level !== undefined) return { text: `${'#'.repeat(level)} ${oneLine(text.replaceAll('**', ''))}`, isItem: false }
  const list = child(properties, 'w:numpr')
  if (list === undefined) return { text, isItem: false }
  const depth = Math.min(8, Number(value(child(list, 'w:ilvl'))) || 0)
  const mark = numbered.has(`${value(child(list, 'w:numid'))} ${depth}`) ? '1.' : '-'
  return { text: `${'  '.repeat(depth)}${mark} ${text.replaceAll('\n', ' ')}`, isItem: true }
}

interface Run {
  readonly text: string
  readonly mark: string
}

/** Word splits a sentence into many runs: adjacent runs of the same format are joined. */
function inline(element: MarkupElement, targets: ReadonlyMap<string, string>): string {
  const runs: Run[] = []
  const add = (text: string, mark: string): void => {
    const last = runs.at(-1)
    if (last?.mark === mark) runs[runs.length - 1] = { text: last.text + text, mark }
    else runs.push({ text, mark })
  }
  const visit = (node: Node): void => {
    if (typeof node === 'string' || node.tag === 'w:del' || node.tag === 'w:ppr') return
    if (node.tag === 'w:r') add(textOf(node), markOf(child(node, 'w:rpr')))
    else if (node.tag === 'w:hyperlink') {
      const [target, words] = [targets.get(node.attributes['r:id'] ?? ''), inline(node, targets).trim()]
      add(target === undefined || words === '' ? words : `[${words}](${target})`, '')
    } else for (const inner of node.children) visit(inner)
  }
  for (const node of element.children) visit(node)
  return runs.map(({ text, mark }) => marked(text, mark)).join('')
}

/** Marks must touch the words: `** a **` is not emphasis. */
function marked(text: string, mark: string): string {
  const bare = text.trim()
  if (mark === '' || bare === '' || bare.includes('\n')) return text
  const start = text.indexOf(bare)
  return `${text.slice(0, start)}${mark}${bare}${mark}${text.slice(start + bare.length)}`
}

function textOf(run: MarkupElement): string {
  return run.children
    .map((node) => {
      if (typeof node === 'string') return ''
      if (node.tag === 'w:t') return node.children.filter((part) => typeof part === 'string').join('')
      if (node.tag === 'w:tab') return ' '
      if (node.tag === 'w:br' || node.tag === 'w:cr') return '\n'
      if (node.tag !== 'w:drawing') return ''
      const picture = findAll(node, 'wp:docpr')[0]?.attributes['descr']?.trim()
      return picture ? `[image: ${picture}]` : ''
    })
    .join('')
}

const MARKS = [
  ['w:b', '**'],
  ['w:i', '*'],
  ['w:strike', '~~'],
] as const

function markOf(properties: MarkupElement | undefined): string {
  const found = MARKS.find(([tag]) => {
    const property = child(properties, tag)
    return property !== undefined && !/^(?:0|false|off|none)$/.test(value(property))
  })
  return found?.[1] ?? ''
}

const MOST_CELLS = 50_000

function table(element: MarkupElement, rules: Rules): string {
  const rows = findAll(element, 'w:tr').map((row) =>
    findAll(row, 'w:tc').map((cell) => oneLine(blocks(cell.children, rules)).replaceAll('|', String.raw`\|`)),
  )
  return markdownRows(rows, MOST_CELLS)
}

const targetsIn = (links: string): ReadonlyMap<string, string> =>
  new Map(
    findAll(parseMarkup(links), 'relationship')
      .map(({ attributes }) => [attributes['id'] ?? '', attributes['target'] ?? ''] as const)
      .filter(([, target]) => /^(?:https?:\/\/|mailto:)[^\s()]+$/.test(target)),
  )

function headingsIn(styles: string): ReadonlyMap<string, number> {
  const headings = new Map([['title', 1]])
  for (let level = 1; level <= 6; level++) headings.set(`heading${level}`, level)
  for (const style of findAll(parseMarkup(styles), 'w:style')) {
    const name = value(child(style, 'w:name')).toLowerCase()
    const level = name === 'title' ? 1 : Number(/^heading ([1-6])$/.exec(name)?.[1])
    if (level) headings.set(style.attributes['w:styleid'] ?? '', level)
  }
  return headings
}

/** `numId level` of numbered lists. */
function numberedIn(numbering: string): ReadonlySet<string> {
  const root = parseMarkup(numbering)
  const levels = new Map(
    findAll(root, 'w:abstractnum').map((list) => [
      list.attributes['w:abstractnumid'] ?? '',
      findAll(list, 'w:lvl')
        .filter((level) => !/^(?:bullet|none|)$/.test(value(child(level, 'w:numfmt'))))
        .map((level) => level.attributes['w:ilvl'] ?? ''),
    ]),
  )
  return new Set(
    findAll(root, 'w:num').flatMap((list) =>
      (levels.get(value(child(list, 'w:abstractnumid'))) ?? []).map(
        (level) => `${list.attributes['w:numid'] ?? ''} ${level}`,
      ),
    ),
  )
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const value = (element: MarkupElement | undefined): string => element?.attributes['w:val'] ?? ''

const child = (element: MarkupElement | undefined, tag: string): MarkupElement | undefined =>
  element?.children.find((node): node is MarkupElement => typeof node !== 'string' && node.tag === tag)

/** Does not descend into a match. */
function findAll(element: MarkupElement, tag: string): readonly MarkupElement[] {
  const found: MarkupElement[] = []
  const visit = (node: Node): void => {
    if (typeof node === 'string') return
    if (node.tag === tag) found.push(node)
    else for (const inner of node.children) visit(inner)
  }
  for (const node of element.children) visit(node)
  return found
}
