import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Finds the suites that import a file, over however many others; the nearest first. */
export function openSuites(root: string, tracked: readonly string[]): (path: string) => string[] {
  const importers = new Map<string, string[]>()
  for (const path of tracked.filter((one) => /^(?:src|test)\/.*\.ts$/.test(one) && !/slow/.test(one)))
    for (const target of importsOf(root, path)) importers.set(target, [...(importers.get(target) ?? []), path])

  return (path) => {
    const seen = new Set([path])
    for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer)
    return [...seen].filter((file) => file.endsWith('.test.ts'))
  }
}

function importsOf(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const ranges = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ]
  return ranges
    .map(({ start, end }) => text.slice(start, end).replace(/^['"`]|['"`]$/g, ''))
    .filter((request) => request.startsWith('.'))
    .map((request) => posix.join(posix.dirname(path), request))
}
