import { configNames, isConfig } from '../guard/config-names.ts'
import { fileKind, isLockFile } from '../guard/file-kind.ts'
import { importIn } from '../guard/imports.ts'
import { looselyAskedIn, packagesIn } from '../guard/manifest-packages.ts'
import { toolsOfFile } from '../guard/telling-files.ts'
import type { Wanted } from '../names/mentions.ts'
import { thingsOfPackage } from '../names/package-names.ts'
import { firstWord, moduleParts, packageKeys, productKeys } from './package-keys.ts'

/** Something that a file uses. */
export interface Use {
  readonly name: string
  readonly via: 'dependency' | 'import' | 'config' | 'file'
  /** Null if the whole file is the use. */
  readonly line: number | null
  /** True if it is needed only when another package brings it: an optional peer, a transitive pin. */
  readonly isLoose: boolean
}

// Longer lines are data; files of more lines are generated.
const LONGEST_LINE = 500
const MOST_LINES = 20_000

/** Things that a file's text uses: packages of a manifest, imports of code, names in settings. */
export function usesIn(path: string, text: string): Use[] {
  const kind = fileKind(path)
  if (kind === 'ignored') return []
  if (kind === 'manifest') return packageUses(path, text)
  const lines = text.split('\n', MOST_LINES)
  const read = isConfig(path)
    ? (line: string) => configNames(path, line).map((name) => ({ name, via: 'config' as const }))
    : (line: string) => [importIn(path, line) ?? []].flat().map((name) => ({ name, via: 'import' as const }))
  return lines.flatMap((line, i) =>
    line.length > LONGEST_LINE || line.trim() === ''
      ? []
      : read(line).map((use) => ({ ...use, line: i + 1, isLoose: false })),
  )
}

/** Things that a file uses, by its path alone. */
export const usesOfPath = (path: string): Use[] =>
  fileKind(path) === 'ignored' && !isLockFile(path)
    ? []
    : toolsOfFile(path).map((name) => ({ name, via: 'file', line: null, isLoose: false }))

function packageUses(path: string, text: string): Use[] {
  const lines = text.split('\n', MOST_LINES)
  const loose = new Set(looselyAskedIn(path, text))
  return packagesIn(path, text).map((name) => {
    const bare = name.replace(/\[.*$/, '').replace(/^.*:/, '')
    const at = lines.findIndex((line) => line.includes(bare))
    return { name, via: 'dependency', line: at < 0 ? null : at + 1, isLoose: loose.has(name) }
  })
}

/**
 * Identifiers of a thing across ecosystems: ids of the alias table and of names, `#` with a key of the package, and `.`
 * with related names. The repository's folders are imported too, so `.` shows only that something is present, never
 * that it is a package.
 */
export function marksOf(name: string, via: Use['via'], wanted: Wanted): string[] {
  const packages = via === 'import' ? packageKeys(name) : [...packageKeys(name), ...productKeys(name)]
  const spoken = via === 'import' ? [...productKeys(name), ...moduleParts(name)] : firstWord(name)
  return [
    ...new Set([
      ...thingsOfPackage(name, wanted),
      ...packages.map((key) => `#${key}`),
      ...spoken.map((key) => `.${key}`),
    ]),
  ]
}
