import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asObject, asText, asWords, parseObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'

/**
 * Maps a folder below `tmp/` to its project. The client records the root beside the chats; older folders are named only
 * by its hash, which can only be matched against directories known from elsewhere.
 */
export class ProjectFolders {
  readonly #bySlug: ReadonlyMap<string, string>
  readonly #byHash: ReadonlyMap<string, string>

  constructor(bySlug: ReadonlyMap<string, string>, known: readonly string[]) {
    this.#bySlug = bySlug
    this.#byHash = new Map([...known, ...bySlug.values()].map((directory) => [sha256(directory), directory]))
  }

  directoryOf(
    folder: string,
    hints: { readonly hash?: string | undefined; readonly directories?: readonly string[] } = {},
  ): string | undefined {
    const hash = hints.hash ?? folder
    return (
      this.#bySlug.get(folder) ??
      this.#byHash.get(folder) ??
      this.#byHash.get(hash) ??
      hints.directories?.find((each) => sha256(each) === hash)
    )
  }
}

export async function readProjectFolders(root: string, known: readonly string[]): Promise<ProjectFolders> {
  const bySlug = new Map<string, string>()
  const projects = asObject(parseObject(await textOf(join(root, 'projects.json')))?.projects) ?? {}
  for (const [directory, slug] of Object.entries(projects))
    if (asText(slug) !== undefined) bySlug.set(slug as string, directory)
  for (const place of ['history', 'tmp']) {
    for (const folder of await listFolder(join(root, place))) {
      const directory = asWords(await textOf(join(root, place, folder, '.project_root')))?.trim()
      if (directory !== undefined) bySlug.set(folder, directory)
    }
  }
  return new ProjectFolders(bySlug, known)
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
