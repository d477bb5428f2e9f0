import { AppError } from '../../../kernel/domain/errors.ts'
import { safeSegment, titleSegment } from '../../domain/context-project/safe-segment.ts'
import { notionToMarkdown, propertyText, type NotionBlock } from '../../domain/sources/notion-markdown.ts'
import type { Source } from '../../ports/source.ts'
import { openNotionApi, type NotionApi, type NotionPage } from './api.ts'

/** Notion pages, and databases as tables, including everything below the pages that ken.yaml names. */
export function openNotionSource({
  url,
  token,
  pages,
}: {
  readonly url: string
  readonly token: string
  readonly pages: readonly string[]
}): Source {
  const api = openNotionApi(url, token)
  const known = new Map<string, NotionPage>()
  return {
    async list() {
      for (const page of await api.shared()) known.set(page.id, page)
      const roots = pages.map(pageId)
      const taken: NotionPage[] = []
      for (const page of known.values())
        if (!page.archived && (roots.length === 0 || (await isBelow(page, roots, { known, api })))) taken.push(page)
      const items = taken.map((page) => ({
        id: page.id,
        title: titleOf(page),
        path: `docs/notion/${safeSegment(titleSegment(titleOf(page)))}.md`,
        fingerprint: page.edited,
        maxAgeDays: undefined,
      }))
      return { items, skipped: [] }
    },
    async fetch(item) {
      const page = known.get(item.id)!
      const titles = (id: string): string | undefined =>
        known.has(dashed(id)) ? titleOf(known.get(dashed(id))!) : undefined
      const body =
        page.object === 'page'
          ? notionToMarkdown(await blocksBelow(item.id, api), titles)
          : await databaseTable(page, api)
      const text = [
        `# ${item.title}`,
        '',
        ...(page.url === undefined ? [] : [`<${page.url}>`, '']),
        ...propertyLines(page),
        body,
      ].join('\n')
      return { documents: [{ name: '', text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}

const titleOf = (page: NotionPage): string => page.title || 'Untitled'

/** Id in an address, or a plain id, with its dashes. */
function pageId(text: string): string {
  const hex = /([0-9a-f]{32})(?=[?#]|$)/i.exec(text.replaceAll('-', '').replace(/[?#].*$/s, ''))?.[1] ?? text
  return dashed(hex)
}

function dashed(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id
}

/** Follows parents upwards; a page inside a toggle or column has a block as its parent. */
async function isBelow(
  page: NotionPage,
  roots: readonly string[],
  { known, api }: { known: ReadonlyMap<string, NotionPage>; api: NotionApi },
): Promise<boolean> {
  const seen = new Set<string>()
  for (let id: string | undefined = page.id, parent = page.parent; id !== undefined && !seen.has(id);) {
    if (roots.includes(id)) return true
    seen.add(id)
    const next: string | undefined = parent?.id === undefined ? undefined : dashed(parent.id)
    if (next === undefined) return false
    parent = parent!.type === 'block_id' ? await api.blockParent(next) : known.get(next)?.parent
    id = next
  }
  return false
}

const DEEPEST = 30
const MOST_BLOCKS = 20_000

async function blocksBelow(
  id: string,
  api: NotionApi,
  around: { readonly depth: number; readonly seen: Set<string> } = { depth: 0, seen: new Set() },
): Promise<readonly NotionBlock[]> {
  const blocks = await api.children(id)
  for (const block of blocks) around.seen.add(String(block.id))
  if (around.depth > DEEPEST || around.seen.size > MOST_BLOCKS)
    throw new AppError('unavailable', 'the page is nested too deeply or too long.', {
      hint: 'Split it in Notion, or exclude it.',
    })
  return Promise.all(
    blocks.map(async (block) => {
      // A child page is a separate document.
      const goesDeeper =
        block['has_children'] === true && block.type !== 'child_page' && block.type !== 'child_database'
      return {
        ...block,
        children: goesDeeper ? await blocksBelow(block.id, api, { ...around, depth: around.depth + 1 }) : [],
      } as NotionBlock
    }),
  )
}

async function databaseTable(page: NotionPage, api: NotionApi): Promise<string> {
  const rows = await api.rows(page)
  const names = Object.keys(page.properties).toSorted((a, b) => Number(isTitle(page, b)) - Number(isTitle(page, a)))
  if (names.length === 0) return 'The database has no properties.\n'
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return (
    [
      line(names),
      line(names.map(() => '---')),
      ...rows.map((row) => line(names.map((name) => propertyText(row.properties[name])))),
    ].join('\n') + '\n'
  )
}

const isTitle = (page: NotionPage, name: string): boolean =>
  (page.properties[name] as { type?: string } | undefined)?.type === 'title'

/** Properties of a database row beside its text. */
function propertyLines(page: NotionPage): readonly string[] {
  if (page.object !== 'page' || page.parent?.type === 'page_id' || page.parent?.type === 'workspace') return []
  const facts = Object.entries(page.properties)
    .filter(([name]) => !isTitle(page, name))
    .map(([name, value]) => [name, propertyText(value)] as const)
    .filter(([, text]) => text !== '')
  return facts.length === 0 ? [] : [...facts.map(([name, text]) => `- ${name}: ${text}`), '']
}
