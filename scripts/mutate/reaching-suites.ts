import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A word that the names of a suite and of a file share, or those of their folders, outweighs two files between them. */
const HOPS_PER_WORD = 2

/**
 * Finds the suites that import a file or start a process that does, over however many others, nearest first. Over the
 * registry most suites are equally near to nearly everything; then the names tell which of them is about the file.
 */
export function openSuites(root: string, tracked: readonly string[]): (path: string) => string[] {
  const importers = new Map<string, string[]>()
  for (const path of tracked.filter((one) => /^(?:src|test)\/.*\.ts$/.test(one) && !one.includes('slow')))
    for (const target of importsOf(root, path)) importers.set(target, [...(importers.get(target) ?? []), path])
  return (path) => {
    const hops = hopsFrom(path, importers)
    const words = wordsOf([posix.dirname(path), path, ...(importers.get(path) ?? [])])
    const distance = (suite: string): number =>
      hops.get(suite)! -
      HOPS_PER_WORD * [...wordsOf([posix.dirname(suite), suite])].filter((word) => words.has(word)).length
    return [...hops.keys()]
      .filter((file) => file.endsWith('.test.ts'))
      .sort((one, other) => distance(one) - distance(other))
  }
}

function hopsFrom(path: string, importers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const hops = new Map([[path, 0]])
  for (const [file, count] of hops)
    for (const next of importers.get(file) ?? []) if (!hops.has(next)) hops.set(next, count + 1)
  return hops
}

/** The words in the names of files, cut so that `propose` and `proposals` are the same. */
function wordsOf(paths: readonly string[]): Set<string> {
  const names = paths.map((path) => posix.basename(path).replace(/(?:\.test)?\.ts$/, ''))
  const words = names.filter((name) => name !== 'index').flatMap((name) => name.split('-'))
  return new Set(words.map((word) => word.slice(0, 5)))
}

function importsOf(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const ranges = [
    // A type is gone before anything runs.
    ...staticImports
      .filter(({ start }) => !text.startsWith('import type', start))
      .map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ]
  const requests = ranges.map(({ start, end }) => text.slice(start, end).replace(/^['"`]|['"`]$/g, ''))
  const workers = [...text.matchAll(/new URL\([`'](\.\/[\w-]+)/g)].map(([, program]) => `${program}.ts`)
  const imported = [...requests, ...workers]
    .filter((request) => request.startsWith('.'))
    .map((request) => posix.join(posix.dirname(path), request))
  // A suite that starts Ken is as near to the rest of it as one that opens it in its own process.
  const startsKen = path.endsWith('.test.ts') && ["ken.js'", 'process.execPath'].every((part) => text.includes(part))
  return startsKen ? [...imported, 'src/app/main.ts', 'src/app/open.ts'] : imported
}
