/** Block of Notion's API with its children; only the used fields are validated. */
export interface NotionBlock {
  readonly id: string
  readonly type: string
  readonly children: readonly NotionBlock[]
  readonly [key: string]: unknown
}

interface RichText {
  readonly plain_text?: string
  readonly href?: string | null
  readonly annotations?: {
    readonly bold?: boolean
    readonly italic?: boolean
    readonly strikethrough?: boolean
    readonly code?: boolean
  }
}

type Content = Readonly<Record<string, unknown>>

/** Blocks of a page as Markdown. `pageTitle` resolves the name of a linked or child page. */
export function notionToMarkdown(
  blocks: readonly NotionBlock[],
  pageTitle: (id: string) => string | undefined,
): string {
  return `${writeBlocks(blocks, pageTitle).trim()}\n`
}

function richText(value: unknown): string {
  return (Array.isArray(value) ? (value as RichText[]) : []).map(richPart).join('')
}

export const plainText = (value: unknown): string =>
  (Array.isArray(value) ? (value as RichText[]) : []).map((part) => part.plain_text ?? '').join('')

type Titles = (id: string) => string | undefined

const LISTS = new Set(['bulleted_list_item', 'numbered_list_item', 'to_do', 'toggle'])

function writeBlocks(blocks: readonly NotionBlock[], titles: Titles): string {
  let number = 0
  let text = ''
  blocks.forEach((block, i) => {
    number = block.type === 'numbered_list_item' ? number + 1 : 0
    const part = writeBlock(block, { number, titles })
    if (part === '') return
    const joins = text === '' ? '' : LISTS.has(block.type) && LISTS.has(blocks[i - 1]?.type ?? '') ? '\n' : '\n\n'
    text += joins + part
  })
  return text
}

function writeBlock(block: NotionBlock, { number, titles }: { number: number; titles: Titles }): string {
  const content = (block[block.type] ?? {}) as Content
  const words = richText(content['rich_text'])
  const inside = block.children.length === 0 ? '' : writeBlocks(block.children, titles)
  const nested = (by: number): string =>
    inside === ''
      ? ''
      : `\n${inside
          .split('\n')
          .map((line) => (line === '' ? '' : ' '.repeat(by) + line))
          .join('\n')}`
  switch (block.type) {
    case 'heading_1':
    case 'heading_2':
    case 'heading_3':
    case 'heading_4':
      return [`${'#'.repeat(Number(block.type.at(-1)) + 1)} ${words}`, inside].filter(Boolean).join('\n\n')
    case 'bulleted_list_item':
    case 'toggle':
      return `- ${words}${nested(2)}`
    case 'numbered_list_item':
      return `${number}. ${words}${nested(3)}`
    case 'to_do':
      return `- [${content['checked'] === true ? 'x' : ' '}] ${words}${nested(2)}`
    case 'quote':
    case 'callout':
      return [words, inside]
        .filter(Boolean)
        .join('\n\n')
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')
    case 'code':
      return `\`\`\`${content['language'] === 'plain text' ? '' : String(content['language'] ?? '')}\n${plainText(content['rich_text'])}\n\`\`\``
    case 'equation':
      return `$$\n${String(content['expression'] ?? '')}\n$$`
    case 'divider':
      return '---'
    case 'table':
      return writeTable(block)
    case 'child_page':
    case 'child_database':
      return `[[${String(content['title'] ?? titles(block.id) ?? 'Untitled')}]]`
    case 'link_to_page':
      return `[[${titles(String(content['page_id'] ?? content['database_id'] ?? '')) ?? 'a page that is not shared'}]]`
    case 'image':
    case 'file':
    case 'pdf':
    case 'video':
    case 'audio':
      return `[${block.type}: ${richText(content['caption']) || String(content['name'] ?? 'without a caption')}]`
    case 'bookmark':
    case 'embed':
    case 'link_preview':
      return `[${richText(content['caption']) || String(content['url'] ?? '')}](${String(content['url'] ?? '')})`
    default:
      return [words, inside].filter(Boolean).join('\n\n')
  }
}

function writeTable(block: NotionBlock): string {
  const rows = block.children.map((row) =>
    ((row['table_row'] as { cells?: unknown[] } | undefined)?.cells ?? []).map((cell) => tableCell(richText(cell))),
  )
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0) return ''
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ')} |`
  return [line(rows[0]!), line(Array.from({ length: width }, () => '---')), ...rows.slice(1).map(line)].join('\n')
}

/** Value of a database row's property as text. */
export function propertyText(property: unknown): string {
  const value = property as Content | null
  if (typeof value !== 'object' || value === null) return ''
  const type = String(value['type'])
  return tableCell(valueText(type, value[type]))
}

function valueText(type: string, content: unknown): string {
  if (content === null || content === undefined) return ''
  if (type === 'title' || type === 'rich_text') return richText(content)
  if (type === 'checkbox') return content === true ? 'yes' : 'no'
  if (type === 'date') return [(content as Content)['start'], (content as Content)['end']].filter(Boolean).join(' to ')
  if (type === 'formula' || type === 'rollup')
    return valueText(String((content as Content)['type']), (content as Content)[String((content as Content)['type'])])
  if (type === 'unique_id')
    return [(content as Content)['prefix'], (content as Content)['number']]
      .filter((part) => part !== null && part !== undefined)
      .join('-')
  if (Array.isArray(content))
    return content.map((item) => String((item as Content)['name'] ?? (item as Content)['id'] ?? '')).join(', ')
  if (typeof content === 'object') return String((content as Content)['name'] ?? (content as Content)['url'] ?? '')
  return String(content)
}

const tableCell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll(/\s*\n\s*/g, ' ')

function richPart({ plain_text = '', href, annotations = {} }: RichText): string {
  const bare = plain_text.trim()
  if (bare === '') return plain_text
  let text = annotations.code ? `\`${bare}\`` : bare
  if (annotations.bold) text = `**${text}**`
  if (annotations.italic) text = `*${text}*`
  if (annotations.strikethrough) text = `~~${text}~~`
  if (typeof href === 'string' && href !== '') text = `[${text}](${href})`
  return plain_text.replace(bare, () => text)
}
