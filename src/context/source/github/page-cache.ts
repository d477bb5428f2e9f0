import { z } from 'zod'
import { writeAtomically } from '../../../kernel/system/atomic-file.ts'
import { readPlainFile } from '../../../kernel/system/plain-file.ts'
import type { KnownPart, ListPart } from './api.ts'

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
export type Brief = z.output<typeof brief>

interface PageCache {
  known(url: string): KnownPart<Brief> | undefined
  remember(url: string, part: ListPart, found: readonly Brief[]): readonly Brief[]
  /** Saves the parts that were requested since it was opened. */
  save(): void
}

const LARGEST = 64 * 1024 ** 2

/** Lists of the last build, by address. An unreadable file only costs the requests it would have saved. */
export function openPageCache(path: string): PageCache {
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
