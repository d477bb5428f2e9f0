import { readFile, readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import { readIgnoreFile } from '../../kernel/system/ignore-file.ts'
import { isInTests } from '../../kernel/system/tests-folder.ts'
import { isText, LARGEST_TEXT, pathFilter } from '../../kernel/system/text-files.ts'
import { protectedReason, TESTS_REASON } from '../domain/context-project/protected-path.ts'
import { safeSegment } from '../domain/context-project/safe-segment.ts'
import type { Source, SourceItem } from '../ports/source.ts'

export interface FolderSourceParts {
  /** Absolute. */
  readonly folder: string
  /** Project that it is copied into. */
  readonly root: string
  /** Target of its files, e.g. `repos/web`. */
  readonly target: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Files that are not plain text, and are converted to Markdown. */
  readonly converted?: FileConversion
}

export interface FileConversion {
  /** Matches the path. */
  readonly fits: RegExp
  /** Maximum size in bytes. */
  readonly largest: number
  read(place: string, path: string): Promise<string>
}

const SKIPPED = new Set(['.git', '.hg', '.svn', '.ken', 'node_modules', '__pycache__', '.venv', 'venv'])

/** Text files of a local folder, respecting its .gitignore; links are not followed. */
export function openFolderSource({ folder, root, target, include, exclude, converted }: FolderSourceParts): Source {
  // A folder that contains the project would be copied into itself, growing with every run.
  const way = relative(folder, root)
  if (!/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way))
    throw new AppError('invalid_input', `${folder} holds the context project itself.`, {
      hint: 'Use a folder next to or inside it.',
    })
  const isTaken = pathFilter({ include, exclude })
  const places = new Map<string, string>()
  return {
    async list() {
      if (!(await stat(folder).catch(() => undefined))?.isDirectory())
        throw new AppError('unavailable', notFound('Folder', folder), { hint: 'Check the path in ken.yaml.' })
      const ignored = readIgnoreFile(join(folder, '.gitignore'))
      if (ignored === undefined)
        throw new AppError('damaged', `${join(folder, '.gitignore')} is not a plain file, or longer than Ken reads.`, {
          hint: 'Make it a plain file of less than 256 KB.',
        })
      const items: SourceItem[] = []
      const skipped: { title: string; reason: string }[] = []
      const real = await realpath(folder)
      for (const path of await filesBelow(folder)) {
        if (ignored.ignores(path) || !isTaken(path)) continue
        const found = await stat(join(folder, path)).catch(() => undefined)
        if (found === undefined) continue
        const conversion = converted?.fits.test(path) ? converted : undefined
        const most = conversion?.largest ?? LARGEST_TEXT
        const tooLarge = found.size > most ? `it is larger than ${most / 1024 ** 2} MB` : undefined
        const tests = isInTests(join(real, path)) ? TESTS_REASON : undefined
        const reason = protectedReason(path) ?? tests ?? tooLarge
        if (reason !== undefined) skipped.push({ title: path, reason })
        else {
          places.set(path, join(folder, path))
          items.push({
            id: path,
            title: path,
            path: `${target}/${placeOf(path, conversion)}`,
            fingerprint: `${conversion === undefined ? '' : 'md-'}${found.size}-${Math.round(found.mtimeMs)}`,
            maxAgeDays: undefined,
          })
        }
      }
      return { items, skipped }
    },
    async fetch(item) {
      const place = places.get(item.id) ?? join(folder, item.id)
      if (converted?.fits.test(item.id))
        return { documents: [{ name: '', text: await converted.read(place, item.id), framed: true }], table: undefined }
      const bytes = await readFile(place)
      const documents = isText(bytes) ? [{ name: '', text: bytes.toString('utf8'), framed: false }] : []
      return { documents, table: undefined }
    },
    close: async () => undefined,
  }
}

const placeOf = (path: string, conversion: FileConversion | undefined): string =>
  (conversion === undefined ? path : path.replace(conversion.fits, '.md')).split('/').map(safeSegment).join('/')

async function filesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  const visit = async (at: string): Promise<void> => {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) await visit(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  await visit('')
  return found.sort()
}
