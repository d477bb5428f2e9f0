import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../../kernel/domain/errors.ts'
import { writeAtomically } from '../../../kernel/system/atomic-file.ts'
import { readPlainFile } from '../../../kernel/system/plain-file.ts'
import {
  closersOf,
  githubPage,
  readGithubComment,
  readGithubThread,
  type GithubComment,
  type GithubThread,
} from '../../domain/sources/github-thread.ts'
import type { Source } from '../../ports/source.ts'
import { openGithubApi, type GithubApi, type KnownPart, type ListPart } from './api.ts'

export interface GithubParts {
  /** `https://api.github.com/repos/acme/web` */
  readonly address: string
  readonly token: string | undefined
  readonly state: 'open' | 'closed' | 'all'
  readonly since?: string | undefined
  readonly bots: boolean
  readonly target: string
  /** File outside the project that caches the API's lists. */
  readonly cache: string
}

/**
 * Issues and pull requests of a repository. Lists are requested with the last tag, so that an unchanged list costs a
 * request without a body; a changed issue costs only its own comments and reviews.
 */
export function openGithubSource(parts: GithubParts): Source {
  const api = openGithubApi(parts.address, parts.token)
  const briefs = new Map<string, Brief>()
  const whole = new Map<number, GithubThread>()
  let closers: ReadonlyMap<string, readonly number[]> = new Map()
  const closedBy = ({ number }: Brief): readonly number[] => closers.get(`#${number}`) ?? []
  return {
    async list() {
      // Oldest first, so that a new issue changes only the last part of the list.
      const query = { state: parts.state, per_page: '100', sort: 'created', direction: 'asc' }
      const since = parts.since === undefined ? {} : { since: `${parts.since}T00:00:00Z` }
      const first = `${parts.address}/issues?${new URLSearchParams({ ...query, ...since })}`
      const cache = openPageCache(parts.cache)
      const found = await api.all(first, cache.known, (answer, url) => {
        const threads = answer.found.map(threadOf)
        for (const thread of threads) whole.set(thread.number, thread)
        return cache.remember(
          url,
          answer,
          threads.map((thread, i) => briefOf(thread, answer.found[i])),
        )
      })
      cache.save()
      for (const brief of found) briefs.set(String(brief.number), brief)
      closers = closersOf(found.map((brief) => ({ ...brief, repository: '' })))
      const items = [...briefs.values()].map((brief) => ({
        id: String(brief.number),
        title: `#${brief.number} ${brief.title}`,
        path: `${parts.target}/${brief.isPull ? 'pulls' : 'issues'}/${brief.number}.md`,
        fingerprint: fingerprintOf(brief, closedBy(brief)),
        maxAgeDays: undefined,
      }))
      return { items, skipped: [] }
    },
    async fetch(item) {
      const brief = briefs.get(item.id)
      if (brief === undefined) throw new AppError('not_found', `GitHub has no ${item.title}`)
      const thread = brief.isPull
        ? threadOf(await api.get(`/pulls/${brief.number}`))
        : (whole.get(brief.number) ?? threadOf(await api.get(`/issues/${brief.number}`)))
      const comments = (await commentsOn(brief, api)).filter(({ isBot }) => parts.bots || !isBot)
      const text = githubPage(thread, comments, closedBy(brief))
      return { documents: [{ name: '', text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}

async function commentsOn({ number, isPull, comments }: Brief, api: GithubApi): Promise<readonly GithubComment[]> {
  const paths = [
    ...(comments > 0 ? [`/issues/${number}/comments`] : []),
    ...(isPull ? [`/pulls/${number}/reviews`, `/pulls/${number}/comments`] : []),
  ]
  const found: unknown[] = []
  for (const path of paths) found.push(...(await api.firstParts(`${path}?per_page=100`)))
  return found.flatMap((one) => readGithubComment(one) ?? [])
}

const briefOf = (thread: GithubThread, value: unknown): Brief => ({
  number: thread.number,
  title: thread.title,
  isPull: thread.isPull,
  updatedAt: thread.updatedAt,
  comments: Number((value as { comments?: unknown }).comments) || 0,
  closes: [...thread.closes],
})

/** Items missing from the list are deleted from the tree, so a partial list is invalid. */
function threadOf(value: unknown): GithubThread {
  const thread = readGithubThread(value)
  if (thread === undefined)
    throw new AppError('unavailable', 'GitHub returned neither an issue nor a pull request.', {
      hint: 'Check that url is the address of the API.',
    })
  return thread
}

const fingerprintOf = ({ updatedAt, comments }: Brief, closedBy: readonly number[]): string =>
  createHash('sha256')
    .update(JSON.stringify([updatedAt, comments, closedBy]))
    .digest('hex')
    .slice(0, 16)

const brief = z.object({
  number: z.number(),
  title: z.string(),
  isPull: z.boolean(),
  updatedAt: z.string(),
  comments: z.number(),
  closes: z.array(z.number()),
})
const pages = z.record(z.string(), z.object({ tag: z.string(), next: z.string().optional(), found: z.array(brief) }))

/** List entry of an issue or pull request. */
type Brief = z.output<typeof brief>

interface PageCache {
  known(url: string): KnownPart<Brief> | undefined
  remember(url: string, part: ListPart, found: readonly Brief[]): readonly Brief[]
  /** Saves the parts that were requested since it was opened. */
  save(): void
}

const LARGEST = 64 * 1024 ** 2

/** Lists of the last build, by address. An unreadable file only costs the requests it would have saved. */
function openPageCache(path: string): PageCache {
  const before = readPages(path)
  const now: Record<string, z.output<typeof pages>[string]> = {}
  return {
    known(url) {
      const page = Object.hasOwn(before, url) ? before[url] : undefined
      if (page !== undefined) now[url] = page
      return page === undefined ? undefined : { ...page, next: page.next }
    },
    remember(url, { tag, next }, found) {
      if (tag === undefined) delete now[url]
      else now[url] = { tag, ...(next !== undefined && { next }), found: [...found] }
      return found
    },
    save: () => writeAtomically(path, JSON.stringify(now), 0o600),
  }
}

function readPages(path: string): z.output<typeof pages> {
  try {
    return pages.parse(JSON.parse(readPlainFile(path, LARGEST)?.toString('utf8') ?? '{}'))
  } catch {
    return {}
  }
}
