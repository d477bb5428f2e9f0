import { AppError } from '../../../kernel/domain/errors.ts'
import { safeSegment, titleSegment } from '../../domain/context-project/safe-segment.ts'
import { markupToMarkdown } from '../../domain/sources/markup-markdown.ts'
import type { Source } from '../../ports/source.ts'
import { allParts, openSourceHttp } from '../source-http.ts'

export interface ConfluenceParts {
  /** With its path, e.g. `https://example.atlassian.net/wiki`. */
  readonly url: string
  readonly email: string | undefined
  readonly token: string
  readonly spaces: readonly string[]
}

interface Page {
  readonly id: string
  readonly title: string
  readonly version?: { readonly number?: number }
  readonly _links?: { readonly webui?: string }
}

interface Listing {
  readonly results?: readonly unknown[]
  readonly _links?: { readonly next?: string }
}

const PAGE = 100

/** Pages of Confluence spaces, from version 2 of its API. */
export function openConfluenceSource({ url, email, token, spaces }: ConfluenceParts): Source {
  const authorization =
    email === undefined ? `Bearer ${token}` : `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`
  const site = url.replace(/\/+$/, '')
  const http = openSourceHttp([new URL(site).host], { authorization, accept: 'application/json' })
  const get = async <T>(path: string): Promise<T> => (await http.json(new URL(path, site).href)) as T
  const base = new URL(site).pathname.replace(/\/+$/, '')

  const all = <T>(path: string): Promise<readonly T[]> =>
    allParts('Confluence', `${base}${path}`, async (at) => {
      const part = await get<Listing | null>(at!)
      return { found: (part?.results ?? []) as T[], next: part?._links?.next }
    })

  return {
    async list() {
      const found = await all<{ id: string; key: string }>(
        `/api/v2/spaces?keys=${spaces.map(encodeURIComponent).join(',')}&limit=${PAGE}`,
      )
      const missing = spaces.find((key) => !found.some((space) => space.key === key))
      if (missing !== undefined)
        throw new AppError('not_found', `Confluence has no space "${missing}".`, {
          hint: 'Check the key, and that the token may see the space.',
        })
      const pages = await Promise.all(
        found.map(async (space) =>
          (await all<Page>(`/api/v2/spaces/${space.id}/pages?status=current&limit=${PAGE}`)).map((page) => ({
            page,
            space: space.key,
          })),
        ),
      )
      const items = pages.flat().map(({ page, space }) => ({
        id: page.id,
        title: page.title,
        path: `docs/confluence/${safeSegment(space)}/${safeSegment(titleSegment(page.title))}.md`,
        fingerprint: String(page.version?.number ?? ''),
        maxAgeDays: page.version?.number === undefined ? 1 : undefined,
      }))
      return { items, skipped: [] }
    },
    async fetch(item) {
      const page = await get<Page & { body?: { storage?: { value?: string } } }>(
        `${base}/api/v2/pages/${item.id}?body-format=storage`,
      )
      const link = page._links?.webui === undefined ? [] : [`<${site}${page._links.webui}>`, '']
      const text = [`# ${page.title}`, '', ...link, markupToMarkdown(page.body?.storage?.value ?? '')].join('\n')
      return { documents: [{ name: '', text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}
