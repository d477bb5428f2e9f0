import { AppError } from '../../kernel/domain/errors.ts'
import { safeSegment } from '../domain/context-project/safe-segment.ts'
import type { ReadPages, SourcePage } from '../domain/sources/page.ts'
import type { Source } from '../ports/source.ts'

/** Source that is read whole and written as pages: its input is small, and each page needs all of it. */
export function openPageSource(target: string, read: () => Promise<ReadPages>): Source {
  const pages = new Map<string, SourcePage>()
  return {
    async list() {
      const found = await read()
      for (const page of found.pages) pages.set(page.id, page)
      const items = [...pages.values()].map(({ id, title, folder, file, fingerprint }) => ({
        id,
        title,
        path: `${target}/${folder}/${safeSegment(file ?? title)}.md`,
        fingerprint,
        maxAgeDays: undefined,
      }))
      return { items, skipped: found.skipped }
    },
    async fetch(item) {
      const page = pages.get(item.id)
      if (page === undefined) throw new AppError('not_found', `${item.title} no longer exists`)
      return { documents: [{ name: '', text: page.text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}
