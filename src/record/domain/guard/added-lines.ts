import { runs } from '../names/words.ts'
import { configNames, isConfig, isCloudFormation, mayDescribeCloud, resourcesIn } from './config-names.ts'
import { dependenciesIn } from './dependencies.ts'
import { type FileKind, fileKind, isTest } from './file-kind.ts'
import { importIn, packageOfImport, servicesCalled } from './imports.ts'
import { toolsOfFile } from './telling-files.ts'

/** The judged parts of a changed file. */
export interface Changed {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly previousPath: string | undefined
  readonly added: readonly { readonly line: number; readonly text: string }[]
  readonly removed: readonly string[]
  /** Packages of the whole manifest, before and after; absent if it was not read. */
  readonly packages?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined
  /** Current imports of the file by its syntax; absent if it was not parsed. */
  readonly imports?: readonly { readonly module: string; readonly line: number }[] | undefined
}

/** An added line that can be judged. */
export interface AddedLine {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly via: 'dependency' | 'import' | 'config' | 'file' | 'code' | 'comment'
  /** The packages that the line adds, without the packages that the change removes elsewhere. */
  readonly packages: readonly string[]
  /** Runs of words on lines that the same change removes: something only moved or edited is not reintroduced. */
  readonly removed: ReadonlySet<string>
}

/** A longer line is data or generated, so names in it were not written by a person. */
const LONGEST_LINE = 500

/**
 * The added lines of a diff worth judging: none from lock files, generated files, fixtures, prose and the record. Text
 * that is removed from one file and added to another is only moved; `elsewhere` has the names that other files lose.
 */
export function addedLines(files: readonly Changed[], elsewhere: Iterable<string> = []): AddedLine[] {
  const gone = new Set([...files.flatMap(namesTakenAway), ...elsewhere])
  return files.flatMap((file) => {
    const kind = fileKind(file.path)
    const removed = new Set(file.removed.flatMap((text) => runs(text).map((run) => run.key)))
    const lines = kind === 'ignored' ? [] : linesOf(file, kind)
    return [...lines, ...newFile(file, kind)].map((line) => ({
      ...line,
      file: file.path,
      packages: line.packages.filter((name) => !gone.has(name)),
      removed,
    }))
  })
}

type Line = Omit<AddedLine, 'file' | 'removed'>

function linesOf(file: Changed, kind: Exclude<FileKind, 'ignored'>): Line[] {
  const readable = file.added.filter(({ text }) => text.trim() !== '')
  if (kind === 'manifest') return manifestLines(file, readable)
  const short = readable.filter(({ text }) => text.length <= LONGEST_LINE)
  if (isConfig(file.path))
    return short.map((line) => ({
      ...line,
      via: isComment(line.text) ? 'comment' : 'config',
      packages: configNames(file.path, line.text),
    }))
  if (mayDescribeCloud(file.path))
    return short.map((line) => {
      const packages = resourcesIn(file.path, line.text)
      return { ...line, via: packages.length > 0 ? 'config' : 'code', packages }
    })
  const imported = Map.groupBy(file.imports ?? [], ({ line }) => line)
  return short.map(({ line, text }) => {
    const packages = [...namesImported(file, imported.get(line), text), ...servicesCalled(file.path, text)]
    const via = packages.length > 0 ? 'import' : isComment(text) || isTest(file.path) ? 'comment' : 'code'
    return { line, text, via, packages }
  })
}

function namesImported(
  file: Changed,
  parsed: readonly { readonly module: string }[] | undefined,
  text: string,
): string[] {
  if (file.imports === undefined) return [importIn(file.path, text) ?? []].flat()
  return (parsed ?? []).flatMap(({ module }) => packageOfImport(file.path, module) ?? [])
}

/**
 * Each package at the first added line that names it; a manifest that was not parsed as a whole is read line by line.
 */
function manifestLines({ path, packages }: Changed, added: Changed['added']): Line[] {
  if (packages === undefined) {
    return added
      .filter(({ text }) => text.length <= LONGEST_LINE)
      .map(({ line, text }) => ({ line, text, via: 'dependency', packages: dependenciesIn(path, text) }))
  }
  const known = new Set(packages.before)
  const lineOf = Map.groupBy(
    packages.after.filter((name) => !known.has(name)),
    (name) => added.find(({ text }) => text.includes(lastPart(name))) ?? added[0],
  )
  return added.map((each) => ({
    line: each.line,
    text: each.text.slice(0, LONGEST_LINE),
    via: isComment(each.text) ? 'comment' : isStackFile(path) ? 'config' : 'dependency',
    packages: lineOf.get(each) ?? [],
  }))
}

/** True for files that request services of a host, not packages of a registry. */
const isStackFile = (path: string): boolean => /(?:^|\/)(?:app\.json|heroku\.ya?ml)$/.test(path)

const lastPart = (name: string): string => name.replace(/\[.*$/, '').replace(/^.*[:]/, '')

/** A new file's name alone may show its purpose. */
function newFile({ path, status, added }: Changed, kind: FileKind): Line[] {
  if (status !== 'added' || (kind === 'ignored' && !/lock/.test(path)) || isTest(path)) return []
  const isStack = (isConfig(path) || mayDescribeCloud(path)) && added.some(({ text }) => isCloudFormation(path, text))
  const packages = [...toolsOfFile(path), ...(isStack ? ['CloudFormation'] : [])]
  return packages.length === 0 ? [] : [{ line: 1, text: '', via: 'file', packages }]
}

/** Packages a file no longer requires. */
export function namesTakenAway(file: Changed): string[] {
  if (fileKind(file.path) === 'ignored') return []
  if (file.packages !== undefined) {
    const now = new Set(file.packages.after)
    return file.packages.before.filter((name) => !now.has(name))
  }
  if (file.status === 'renamed' || file.status === 'deleted')
    return [...readLines(file), ...toolsOfFile(file.previousPath ?? file.path)]
  return readLines(file)
}

const readLines = ({ path, removed }: Changed): string[] => {
  if (fileKind(path) === 'manifest') return removed.flatMap((text) => dependenciesIn(path, text))
  if (isConfig(path)) return removed.flatMap((text) => configNames(path, text))
  return mayDescribeCloud(path)
    ? removed.flatMap((text) => resourcesIn(path, text))
    : removed.flatMap((text) => [importIn(path, text) ?? []].flat())
}

/** True for a line that is only a comment, or part of one. */
const isComment = (text: string): boolean =>
  /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|else|endif|\[))|--\s|;;|<!--|"""|''')/.test(text)
