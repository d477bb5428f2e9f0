import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { RunTimes } from '../../test/times-reporter.ts'

/**
 * Finds the suites that import a file or start a process that does, directly or indirectly, nearest first. The registry
 * makes most suites equally near to nearly every file, so ties are broken by the words that a suite shares with the
 * file and its path, with more weight on rarer words. A suite that takes twice as long counts as one file further away.
 */
export function openSuites(
  root: string,
  files: readonly string[],
  secondsOf: (suite: string) => number,
): (path: string) => string[] {
  const importers = new Map<string, string[]>()
  for (const path of files.filter((one) => /^(?:src|test|web)\/.*\.tsx?$/.test(one)))
    for (const target of importsOf(root, path)) importers.set(target, [...(importers.get(target) ?? []), path])
  const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
  const wordsOfSuites = new Map(files.filter(isSuite).map((suite) => [suite, wordsOf(`${suite}\n${textOf(suite)}`)]))
  const uses = new Map<string, number>()
  for (const words of wordsOfSuites.values()) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
  const rarity = (word: string): number => Math.log2(wordsOfSuites.size / uses.get(word)!)
  return (path) => {
    const hops = hopsFrom(path, importers)
    const named = wordsOf(path)
    const words = new Set([...wordsOf(textOf(path)), ...named])
    const shared = (suite: string): number => {
      const own = wordsOfSuites.get(suite)!
      const weight = (word: string): number => rarity(word) ** 2 * (named.has(word) ? NAMED : 1)
      const sum = [...words].filter((word) => own.has(word)).reduce((total, word) => total + weight(word), 0)
      // A long suite shares many words by chance.
      return sum / Math.sqrt(own.size)
    }
    const suites = [...hops.keys()].filter(isSuite)
    const distances = new Map(
      suites.map((suite) => [suite, hops.get(suite)! + Math.log2(1 + secondsOf(suite)) - shared(suite)]),
    )
    return suites.sort((one, other) => distances.get(one)! - distances.get(other)!)
  }
}

// A word in the path characterises a file better than a word in its text.
const NAMED = 4

const isSuite = (path: string): boolean => path.endsWith('.test.ts')

/** Duration of a suite in the last full run here; otherwise the typical duration of such suites on two cores. */
export function openSeconds(root: string): (suite: string) => number {
  const known = new Map(
    ['fast', 'slow']
      .flatMap((name) => suitesIn(join(root, `node_modules/.cache/ken/${name}.json`)))
      .map(({ suite, load, run }) => [suite, (load + run) / 1000]),
  )
  return (suite) => known.get(suite) ?? (suite.startsWith('test/slow/') ? 40 : suite.includes('.slow.') ? 15 : 1)
}

function suitesIn(report: string): RunTimes['suites'] {
  try {
    return (JSON.parse(readFileSync(report, 'utf8')) as RunTimes).suites
  } catch {
    // The file is missing or incomplete; it only saves time.
    return []
  }
}

function hopsFrom(path: string, importers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const hops = new Map([[path, 0]])
  for (const [file, count] of hops)
    for (const next of importers.get(file) ?? []) if (!hops.has(next)) hops.set(next, count + 1)
  return hops
}

/** The words and parts of names in a text, cut so that `propose` and `proposals` match. */
function wordsOf(text: string): Set<string> {
  const words =
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{4,}/g) ?? []
  return new Set(words.map((word) => word.slice(0, 6)))
}

function importsOf(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const ranges = [
    // Types are erased before anything runs.
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType).flatMap((entry) => entry.moduleRequest ?? []),
    ),
    ...dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ]
  const requests = ranges.map(({ start, end }) => text.slice(start, end).replace(/^['"`]|['"`]$/g, ''))
  const workers = [...text.matchAll(/new URL\([`'](\.\/[\w-]+)/g)].map(([, program]) => `${program}.ts`)
  const imported = [...requests, ...workers]
    .filter((request) => request.startsWith('.'))
    .map((request) => posix.join(posix.dirname(path), request))
  // A suite that starts Ken as a process is as close to the rest of Ken as a suite that imports it.
  if (path.startsWith('test/') && ["ken.js'", 'process.execPath'].every((part) => text.includes(part)))
    imported.push('src/app/main.ts', 'src/app/open.ts')
  // The suite builds pages from these files while it runs.
  if (path.includes('.browser.')) imported.push('web/app/main.tsx', 'web/graph/start.ts')
  return imported
}
