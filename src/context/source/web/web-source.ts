import { AppError } from '../../../kernel/domain/errors.ts'
import { pathFilter } from '../../../kernel/system/text-files.ts'
import { safeSegment, titleSegment } from '../../domain/context-project/safe-segment.ts'
import { markupTitle, markupToMarkdown } from '../../domain/sources/markup-markdown.ts'
import type { Source, SourceItem } from '../../ports/source.ts'
import { openSourceHttp, type SourceHttp } from '../source-http.ts'

export interface WebSourceParts {
  readonly url: string
  readonly target: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

const AT_ONCE = 8
const MOST_PAGES = 5_000

/** A web page, or all pages of the same host that an llms.txt links to. */
export function openWebSource({ url, target, include, exclude }: WebSourceParts): Source {
  const start = new URL(url)
  const http = openSourceHttp([start.host], { accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8' })
  const isTaken = pathFilter({ include, exclude })
  return {
    async list() {
      if (!/llms(?:-full)?\.txt$/.test(start.pathname))
        return { items: [await itemOf({ title: lastPart(start), url: start.href }, target, http)], skipped: [] }
      const links = linksIn((await http.request(start.href)).text, start)
      const own = links.filter(
        (link) => new URL(link.url).host === start.host && isTaken(new URL(link.url).pathname.slice(1)),
      )
      if (own.length > MOST_PAGES)
        throw new AppError(
          'unavailable',
          `${start.host}${start.pathname} links to more than ${MOST_PAGES.toLocaleString('en-US')} pages.`,
          { hint: 'Choose some with include.' },
        )
      const items: SourceItem[] = []
      for (let at = 0; at < own.length; at += AT_ONCE)
        items.push(...(await Promise.all(own.slice(at, at + AT_ONCE).map((link) => itemOf(link, target, http)))))
      const skipped = links
        .filter((link) => new URL(link.url).host !== start.host)
        .map((link) => ({ title: link.url, reason: 'it lies on another host' }))
      return { items, skipped }
    },
    async fetch(item) {
      const answer = await http.request(item.id)
      const isMarkup =
        /html/.test(answer.headers.get('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(answer.text)
      const title = isMarkup ? (markupTitle(answer.text) ?? item.title) : item.title
      const body = isMarkup ? markupToMarkdown(answer.text) : answer.text
      const text = [...(/^#\s/m.test(body) ? [] : [`# ${title}`, '']), `<${item.id}>`, '', body].join('\n')
      return { documents: [{ name: '', text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}

interface Link {
  readonly title: string
  readonly url: string
}

function linksIn(text: string, base: URL): readonly Link[] {
  const found = [...text.matchAll(/\[([^\]\n]+)\]\(([^)\s]+)\)/g)].flatMap(([, title, target]) => {
    const url = URL.parse(target!, base.href)
    if (url === null || !/^https?:$/.test(url.protocol)) return []
    url.hash = ''
    return [{ title: title!.trim(), url: url.href }]
  })
  return [...new Map(found.map((link) => [link.url, link])).values()]
}

/** An item is fetched again every day if its server returns neither a tag nor a date. */
async function itemOf({ title, url }: Link, target: string, http: SourceHttp): Promise<SourceItem> {
  const headers = await http.request(url, { method: 'HEAD' }).then(
    (answer) => answer.headers,
    () => new Headers(),
  )
  const version = headers.get('etag') ?? headers.get('last-modified')
  return {
    id: url,
    title,
    path: `${target}/${safeSegment(titleSegment(title))}.md`,
    fingerprint: version ?? 'unversioned',
    maxAgeDays: version === null ? 1 : undefined,
  }
}

const lastPart = (url: URL): string =>
  readable(url.pathname.split('/').findLast((part) => part !== '') ?? url.host).replace(/\.\w+$/, '')

/** An incorrectly escaped part stays unchanged. */
function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
