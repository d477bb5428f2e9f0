import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Finds the suites that import a file, over however many others; those that reach the least first. */
export function openSuites(root: string, tracked: readonly string[]): (path: string) => string[] {
  const imports = new Map<string, string[]>()
  const importers = new Map<string, string[]>()
  for (const path of tracked.filter((one) => /^(?:src|test)\/.*\.ts$/.test(one) && !one.includes('slow'))) {
    imports.set(path, importsOf(root, path))
    for (const target of imports.get(path)!) importers.set(target, [...(importers.get(target) ?? []), path])
  }
  const weight = new Map<string, number>()
  const weigh = (suite: string): number => {
    if (!weight.has(suite)) weight.set(suite, reached(suite, imports).length)
    return weight.get(suite)!
  }
  return (path) =>
    reached(path, importers)
      .filter((file) => file.endsWith('.test.ts'))
      .sort((one, other) => weigh(one) - weigh(other))
}

function reached(from: string, ways: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set([from])
  for (const file of seen) for (const next of ways.get(file) ?? []) seen.add(next)
  return [...seen]
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
  return ranges
    .map(({ start, end }) => text.slice(start, end).replace(/^['"`]|['"`]$/g, ''))
    .filter((request) => request.startsWith('.'))
    .map((request) => posix.join(posix.dirname(path), request))
}
