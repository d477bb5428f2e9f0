import type { Grouping } from './grouping.ts'

const NO_FILES = 'No files'
const OTHER = 'Other folders'
const ROOT = 'Top folder'
/** A folder with a larger share of the decisions is shown as its subfolders. */
const LARGEST_PART = 0.35
const DEEPEST = 6

/** Groups decisions by the folders of their files; deep where most of the work is, shallow elsewhere. */
export function folderGroups(
  decisions: readonly { readonly files_affected: readonly string[] }[],
  most: number,
): Grouping {
  const paths = decisions.map(({ files_affected }) => files_affected.map(foldersOf))
  const depths = new Map<string, number>()
  let mine = paths.map((folders) => folderOf(folders, depths))
  for (let round = 0; round < DEEPEST; round++) {
    const sizes = Map.groupBy(mine, (name) => name)
    const [large] = [...sizes]
      .filter(([name, { length }]) => name !== NO_FILES && name !== ROOT && length > decisions.length * LARGEST_PART)
      .map(([name]) => name)
    if (large === undefined || large.split('/').length >= DEEPEST) break
    depths.set(large, large.split('/').length + 1)
    const deeper = paths.map((folders) => folderOf(folders, depths))
    if (new Set(deeper).size > most) break
    mine = deeper
  }
  return toGrouping(mine, most)
}

function toGrouping(folders: readonly string[], most: number): Grouping {
  const sizes = [...Map.groupBy(folders, (name) => name)].sort(([, a], [, b]) => b.length - a.length)
  const kept = new Set(sizes.slice(0, sizes.length > most ? most - 2 : most).map(([name]) => name))
  const mine = folders.map((name) => (name === NO_FILES || kept.has(name) ? name : OTHER))
  const rank = (name: string): number => [OTHER, NO_FILES].indexOf(name)
  const names = [...new Set(mine)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const places = new Map(names.map((name, place) => [name, place]))
  return { by: 'folder', names, of: mine.map((name) => places.get(name)!), rest: places.get(NO_FILES) ?? null }
}

/** The folder with most of a decision's files, the first if several tie. */
function folderOf(paths: readonly (readonly string[])[], depths: ReadonlyMap<string, number>): string {
  const counts = new Map<string, number>()
  for (const folders of paths) {
    let name = folders[0] ?? ROOT
    for (let depth = depths.get(name); depth !== undefined && folders.length >= depth; depth = depths.get(name))
      name = folders.slice(0, depth).join('/')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  let [best, most] = [NO_FILES, 0]
  for (const [name, count] of counts) if (count > most) [best, most] = [name, count]
  return best
}

/** The folders above a file, outermost first; a pattern counts up to its first wildcard. */
function foldersOf(path: string): string[] {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const wild = parts.findIndex((part) => /[*?[{]/.test(part))
  return parts.slice(0, wild >= 0 ? wild : path.endsWith('/') ? parts.length : -1).slice(0, DEEPEST)
}
