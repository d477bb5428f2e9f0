import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/domain/errors.ts'
import { safeSegment } from '../../domain/context-project/safe-segment.ts'
import { readGithubExport } from '../../domain/sources/github-export.ts'
import type { Source } from '../../ports/source.ts'
import { openExportFiles } from '../export-files.ts'

export interface GithubExportParts {
  readonly path: string
  readonly repository: string | undefined
  readonly state: 'open' | 'closed' | 'all'
  readonly since?: string | undefined
  readonly bots: boolean
  readonly target: string
}

/** Issues and pull requests from files: output of `gh`, or a migration archive. */
export function openGithubExport({ path, target, ...rules }: GithubExportParts): Source {
  const texts = new Map<string, string>()
  return {
    async list() {
      const files = await openExportFiles(path, /\.json$/)
      const skipped: { title: string; reason: string }[] = []
      const values: unknown[] = []
      try {
        for (const file of files.paths) {
          const bytes = await files.read(file)
          const found = bytes === undefined ? undefined : parsed(bytes.toString('utf8'))
          if (found === undefined) skipped.push({ title: file, reason: 'it is not JSON, or larger than 64 MB' })
          for (const one of Array.isArray(found) ? found : [found]) values.push(one)
        }
      } finally {
        await files.close()
      }
      const pages = readGithubExport(values, rules)
      if (pages === undefined)
        throw new AppError('unavailable', `No issues or pull requests found in ${path}.`, {
          hint: 'Write them with `gh issue list --state all --limit 10000 --json number,title,state,author,labels,createdAt,updatedAt,closedAt,body,comments,url`.',
        })
      const isOne = new Set(pages.map(({ thread }) => thread.repository)).size <= 1
      const items = pages.map(({ thread, text }) => {
        const id = `${thread.repository}#${thread.number}`
        const folder = isOne ? target : `${target}/${safeSegment(thread.repository.replace('/', '-') || 'other')}`
        texts.set(id, text)
        return {
          id,
          title: `#${thread.number} ${thread.title}`,
          path: `${folder}/${thread.isPull ? 'pulls' : 'issues'}/${thread.number}.md`,
          fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 16),
          maxAgeDays: undefined,
        }
      })
      return { items, skipped }
    },
    async fetch(item) {
      const text = texts.get(item.id)
      if (text === undefined) throw new AppError('not_found', `the export has no ${item.title}`)
      return { documents: [{ name: '', text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
