import { compileGlob, type PathTest } from './glob.ts'

/** Lines of a .gitignore or .kenignore. Paths are relative to its folder, with forward slashes. */
export interface IgnoreRules {
  /** Verdict of the last line that matches a path itself; undefined if none does. */
  judge(path: string, isFolder: boolean): 'ignored' | 'kept' | undefined
  /** Whether a file, or a folder above it, is ignored. */
  ignores(path: string): boolean
}

interface Rule {
  readonly says: 'ignored' | 'kept'
  readonly foldersOnly: boolean
  /** A line without a slash matches names at any depth. */
  readonly namesOnly: boolean
  readonly fits: PathTest
}

const MOST_CHARACTERS = 256 * 1024
const MOST_RULES = 2_000

/**
 * Parses the rules, ignoring case. Undefined if unreasonably long: the caller then leaves out everything they would
 * cover.
 */
export function readIgnoreRules(text: string): IgnoreRules | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const rules: Rule[] = []
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const rule = readRule(line)
    if (rule === 'too long' || rules.length >= MOST_RULES) return undefined
    if (rule !== undefined) rules.push(rule)
  }
  rules.reverse()
  const judge = (path: string, isFolder: boolean): Rule['says'] | undefined => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return rules.find(({ foldersOnly, namesOnly, fits }) => (isFolder || !foldersOnly) && fits(namesOnly ? name : path))
      ?.says
  }
  return {
    judge,
    ignores(path) {
      for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
        if (judge(path.slice(0, slash), true) === 'ignored') return true
      }
      return judge(path, false) === 'ignored'
    },
  }
}

function readRule(line: string): Rule | 'too long' | undefined {
  let pattern = withoutTrailingSpaces(line)
  if (pattern === '' || pattern.startsWith('#')) return undefined
  const isException = pattern.startsWith('!')
  if (isException) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1)
  const namesOnly = !pattern.includes('/')
  if (pattern.startsWith('/')) pattern = pattern.slice(1)
  if (pattern === '') return undefined
  const fits = compileGlob(pattern, { plain: true, ignoreCase: true })
  return fits === undefined ? 'too long' : { says: isException ? 'kept' : 'ignored', foldersOnly, namesOnly, fits }
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}
