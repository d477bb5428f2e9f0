import { isIndexName, isTemplateName, stemOf } from '../../kernel/domain/adr/adr-name.ts'
import type { Given } from '../../operations/context.ts'

export interface AdrFolder {
  /** Relative to the repository. */
  readonly path: string
  readonly files: number
}

const DEEPEST = 5
const MOST_FOLDERS = 2_000
/** One numbered document elsewhere may be anything. */
const FEWEST = { named: 1, other: 2 }
const PASSED_OVER = /^(?:\..*|node_modules|vendor|target|dist|build|venv|__pycache__|coverage|fixtures|testdata)$/i
const ADR_FOLDER = /^(?:adrs?|decisions?|decision-records?|architecture-decisions?|architecture-decision-records?)$/i
const NUMBERED = /^(?:adr[-_ ]?)?\d{3,8}[-_ .]/i

/**
 * Folders of architecture decision records: folders with a usual name and a document, or with several numbered
 * documents; templates and introductions do not count. Follows no link and opens no file.
 */
export async function findAdrFolders(
  ctx: Pick<Given<'machine'>, 'scout'>,
  root: string,
): Promise<readonly AdrFolder[]> {
  const found: AdrFolder[] = []
  let looked = 0
  const entriesOf = (path: string) => ctx.scout.entries(path === '' ? root : `${root}/${path}`)
  let level = ['']
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = []
    for (const path of level) {
      if (++looked > MOST_FOLDERS) return found
      const entries = await entriesOf(path)
      const isNamed = ADR_FOLDER.test(path.slice(path.lastIndexOf('/') + 1))
      const folders = entries.filter(({ name, is }) => is === 'folder' && !PASSED_OVER.test(name))
      const below = folders.map(({ name }) => (path === '' ? name : `${path}/${name}`))
      // An import also reads the folders below; records are often sorted into several.
      const held = isNamed ? [...entries, ...(await Promise.all(below.map(entriesOf))).flat()] : entries
      const fitting = held.filter(
        ({ name, is }) => is === 'file' && isDocument(name) && (isNamed || NUMBERED.test(name)),
      )
      if (fitting.length >= FEWEST[isNamed ? 'named' : 'other'])
        found.push({ path: path === '' ? '.' : path, files: fitting.length })
      else next.push(...below)
    }
    level = next.sort()
  }
  return found
}

const isDocument = (name: string): boolean =>
  /\.(?:md|markdown)$/i.test(name) && !isTemplateName(stemOf(name)) && !isIndexName(stemOf(name))
