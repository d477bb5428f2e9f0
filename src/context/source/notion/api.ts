import { plainText, type NotionBlock } from '../../domain/sources/notion-markdown.ts'
import { allParts, openSourceHttp } from '../source-http.ts'

export interface NotionParent {
  readonly type: string
  readonly id: string | undefined
}

export interface NotionPage {
  readonly id: string
  readonly object: 'page' | 'database' | 'data_source'
  readonly title: string
  readonly edited: string
  readonly url: string | undefined
  readonly archived: boolean
  readonly parent: NotionParent | undefined
  readonly properties: Readonly<Record<string, unknown>>
}

export interface NotionApi {
  /** All pages and databases shared with the integration. */
  shared(): Promise<readonly NotionPage[]>
  children(block: string): Promise<readonly NotionBlock[]>
  blockParent(block: string): Promise<NotionParent | undefined>
  rows(database: NotionPage): Promise<readonly NotionPage[]>
}

type Json = Readonly<Record<string, unknown>>

// The last version with databases and their rows under one id.
const VERSION = '2022-06-28'
const PAGE = 100

export function openNotionApi(url: string, token: string): NotionApi {
  const http = openSourceHttp([new URL(url).host], {
    authorization: `Bearer ${token}`,
    'notion-version': VERSION,
    accept: 'application/json',
  })
  const get = async (path: string): Promise<Json> => objectOf(await http.json(`${url}${path}`))
  const post = async (path: string, body: Json): Promise<Json> => objectOf(await http.json(`${url}${path}`, { body }))
  return {
    shared: async () => (await pagesOf((cursor) => post('/v1/search', { page_size: PAGE, ...cursor }))).map(readPage),
    async children(block) {
      const found = await pagesOf((cursor) =>
        get(`/v1/blocks/${block}/children?${new URLSearchParams({ page_size: String(PAGE), ...cursor })}`),
      )
      return found as unknown as readonly NotionBlock[]
    },
    blockParent: async (block) => parentOf((await get(`/v1/blocks/${block}`))['parent']),
    rows: async (database) =>
      (
        await pagesOf((cursor) =>
          post(`/v1/${database.object === 'database' ? 'databases' : 'data_sources'}/${database.id}/query`, {
            page_size: PAGE,
            ...cursor,
          }),
        )
      ).map(readPage),
  }
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})

/** All results of a paged list. */
function pagesOf(ask: (cursor: { start_cursor?: string }) => Promise<Json>): Promise<readonly Json[]> {
  return allParts('Notion', undefined, async (cursor) => {
    const answer = await ask(cursor === undefined ? {} : { start_cursor: cursor })
    const results = Array.isArray(answer['results']) ? answer['results'].map(objectOf) : []
    return {
      found: results,
      next:
        answer['has_more'] === true && typeof answer['next_cursor'] === 'string' ? answer['next_cursor'] : undefined,
    }
  })
}

function readPage(value: Json): NotionPage {
  const properties = (value['properties'] ?? {}) as Json
  const title =
    value['title'] ?? (Object.values(properties) as Json[]).find((property) => property['type'] === 'title')?.['title']
  return {
    id: String(value['id']),
    object: value['object'] as NotionPage['object'],
    title: plainText(title).trim(),
    edited: String(value['last_edited_time'] ?? ''),
    url: typeof value['url'] === 'string' ? value['url'] : undefined,
    archived: value['archived'] === true || value['in_trash'] === true,
    parent: parentOf(value['parent']),
    properties,
  }
}

function parentOf(value: unknown): NotionParent | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { type } = value as { type?: string }
  const id = type === undefined ? undefined : (value as Json)[type]
  return type === undefined ? undefined : { type, id: typeof id === 'string' ? id : undefined }
}
