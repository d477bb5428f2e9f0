import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readIgnoreRules, type IgnoreRules } from '../../kernel/domain/ignore-rules.ts'
import { readIgnoreFile } from '../../kernel/system/ignore-file.ts'
import { isInTests } from '../../kernel/system/tests-folder.ts'
import { GENERATED, isCodeFile } from '../../retrieval/domain/chunking/code-files.ts'
import type { CodeLimits, FileScan, FoundFile } from '../ports/documents.ts'

const NOTHING: IgnoreRules = { judge: () => 'ignored', ignores: () => true }

/** The rules of one .gitignore, which apply below its folder. */
interface Rules {
  readonly folder: string
  readonly matcher: IgnoreRules
}

/**
 * Source files of a repository that git would not ignore, respecting nested .gitignore files and exceptions, without
 * Ken's test cases.
 */
export async function scanCode(root: string, limits: CodeLimits): Promise<FileScan> {
  if (leadsElsewhere(root))
    return {
      files: [],
      overBudget: [
        { path: root, reason: 'it is reached through a link; name the real folder with `ken index-codebase`' },
      ],
    }
  const files: FoundFile[] = []
  if (isInTests(root)) return { files, overBudget: [] }
  const overBudget: { path: string; reason: string }[] = []
  const always = { folder: '', matcher: readIgnoreRules([...GENERATED, ...limits.exclude].join('\n')) ?? NOTHING }
  const folders: { path: string; rules: readonly Rules[] }[] = [{ path: '', rules: [] }]
  let bytes = 0
  for (let visited = 0; folders.length > 0; visited++) {
    if (visited % 16 === 15) await setImmediate()
    const { path, rules } = folders.shift()!
    const own = withRulesOf(root, path, rules)
    if (own === undefined) {
      overBudget.push({
        path: join(root, path),
        reason: 'its .gitignore is not a plain file, or longer than Ken reads',
      })
      continue
    }
    for (const entry of entriesOf(join(root, path))) {
      const relative = path === '' ? entry.name : `${path}/${entry.name}`
      const isFolder = entry.isDirectory()
      if (isIgnored([always], relative, isFolder) || isIgnored(own, relative, isFolder)) continue
      if (isFolder) {
        if (!isInTests(join(root, relative))) folders.push({ path: relative, rules: own })
        continue
      }
      if (!entry.isFile() || !isCodeFile(relative, limits.extensions)) continue
      const stat = statSync(join(root, relative), { throwIfNoEntry: false })
      if (stat === undefined) continue
      const reason =
        stat.size > limits.maxFileSize
          ? 'larger than codebase.maxFileSize'
          : files.length >= limits.maxFiles
            ? 'more files than codebase.maxFiles'
            : bytes + stat.size > limits.maxSize
              ? 'beyond codebase.maxSize'
              : undefined
      if (reason !== undefined) {
        overBudget.push({ path: join(root, relative), reason })
        continue
      }
      bytes += stat.size
      files.push({ path: join(root, relative), relative, size: stat.size, mtime: stat.mtimeMs })
    }
  }
  return { files, overBudget }
}

/**
 * Whether a root is now a link. Roots are listed by their real path; a pull may since have replaced a folder with a
 * link.
 */
function leadsElsewhere(root: string): boolean {
  try {
    return realpathSync(root) !== root.replace(/(.)[/\\]+$/, '$1')
  } catch {
    return false
  }
}

/** The nearest .gitignore with a matching line decides, and within that file the last such line. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const below = folder === '' ? path : path.slice(folder.length + 1)
    const said = matcher.judge(below, isFolder)
    if (said !== undefined) return said === 'ignored'
  }
  return false
}

/** Undefined if the folder's .gitignore is too large to read: its exclusions are then unknown. */
function withRulesOf(root: string, folder: string, rules: readonly Rules[]): readonly Rules[] | undefined {
  const matcher = readIgnoreFile(join(root, folder, '.gitignore'))
  return matcher && [...rules, { folder, matcher }]
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
