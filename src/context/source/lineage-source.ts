import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { pathFilter } from '../../kernel/system/text-files.ts'
import { safeSegment } from '../domain/context-project/safe-segment.ts'
import { writtenByPage, type LineageFact } from '../domain/sources/lineage.ts'
import type { PyStatement } from '../domain/sources/python-tree.ts'
import type { Source, SourceListing } from '../ports/source.ts'
import { openExportFiles } from './export-files.ts'
import { openPythonReader } from './python-files.ts'

export interface LineageParts {
  readonly path: string
  readonly target: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

export interface PythonFile {
  readonly path: string
  readonly statements: readonly PyStatement[]
  /** Text of a SQL file, named relative to this file or to the top folder. */
  sqlFile(name: string): string | undefined
}

export interface LineagePages {
  readonly pages: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  readonly facts: readonly LineageFact[]
}

const MOST_FILES = 20_000

/** Python files of a folder, parsed but never run, as pages; `read` builds them from the declarations. */
export function openLineageSource(
  what: string,
  parts: LineageParts,
  read: (files: readonly PythonFile[]) => LineagePages,
): Source {
  return pagesSource(parts.target, async () => {
    const skipped: { title: string; reason: string }[] = []
    const found = read(await pythonFiles(parts, skipped))
    if (found.pages.length === 0)
      throw new AppError('unavailable', `No definitions of ${what} found in ${parts.path}.`, {
        hint: 'Check path, include and exclude in ken.yaml.',
      })
    return { pages: withTables(what, found), skipped }
  })
}

/** The pages, plus one that lists the writers of each table, if there are any. */
export function withTables(what: string, { pages, facts }: LineagePages): LineagePages['pages'] {
  const text = writtenByPage(what, facts)
  return text === undefined ? pages : [...pages, { id: 'written by', title: 'written-by', text }]
}

/** Source that builds all its pages at once from local files. */
export function pagesSource(
  target: string,
  make: () => Promise<{ readonly pages: LineagePages['pages']; readonly skipped: SourceListing['skipped'] }>,
): Source {
  const texts = new Map<string, string>()
  return {
    async list() {
      const { pages, skipped } = await make()
      for (const { id, text } of pages) texts.set(id, text)
      const items = [...new Map(pages.map((page) => [page.id, page])).values()].map(({ id, title, text }) => ({
        id,
        title,
        path: `${target}/${safeSegment(title)}.md`,
        fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 16),
        maxAgeDays: undefined,
      }))
      return { items, skipped }
    },
    async fetch(item) {
      const text = texts.get(item.id)
      if (text === undefined) throw new AppError('not_found', `${item.title} not found`)
      return { documents: [{ name: '', text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}

async function pythonFiles(
  { path, include, exclude }: LineageParts,
  skipped: { title: string; reason: string }[],
): Promise<readonly PythonFile[]> {
  const files = await openExportFiles(path, /\.(?:py|sql)$/)
  const isTaken = pathFilter({ include, exclude })
  const python = files.paths.filter((file) => file.endsWith('.py') && isTaken(file))
  if (python.length > MOST_FILES)
    throw new AppError('unavailable', `${path} holds more than ${MOST_FILES.toLocaleString('en-US')} Python files.`, {
      hint: 'Choose some with include.',
    })
  const sql = new Map<string, string>()
  for (const file of files.paths.filter((one) => one.endsWith('.sql')).slice(0, MOST_FILES))
    sql.set(file, (await files.read(file))?.toString('utf8') ?? '')
  const reader = await openPythonReader()
  try {
    const found: PythonFile[] = []
    for (const file of python) {
      const text = (await files.read(file))?.toString('utf8')
      const statements = text === undefined ? undefined : reader.read(text)
      if (statements === undefined) skipped.push({ title: file, reason: 'it is too large to be parsed' })
      else
        found.push({
          path: file,
          statements,
          sqlFile: (name) => sql.get(posix.join(posix.dirname(file), name)) ?? sql.get(posix.normalize(name)),
        })
    }
    return found
  } finally {
    reader.close()
    await files.close()
  }
}
