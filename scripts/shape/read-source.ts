import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { parseSync, Visitor, type Function as FunctionNode, type ArrowFunctionExpression } from 'oxc-parser'

export interface SourceFile {
  /** Relative to the root, with slashes. */
  readonly path: string
  readonly text: string
  readonly lines: number
  /** Without functions that consist of one expression. */
  readonly functions: readonly SourceFunction[]
  /** Files of the tree that this file imports or exports from. */
  readonly imports: readonly string[]
  /** Files from which this file imports only types. */
  readonly typeImports: readonly string[]
  /** Files that this file imports lazily. */
  readonly loads: readonly string[]
  /** Text of the file without comments. */
  readonly code: string
}

export interface SourceFunction {
  readonly name: string
  readonly line: number
  readonly lines: number
  /** Number of lines without nested functions, which are counted separately. */
  readonly ownLines: number
}

type Range = Readonly<{ start: number; end: number }>

/** Parses every module below a folder that is not a test. */
export function readSource(root: string, folder = 'src'): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .map((path) => readModule(root, path))
}

function readModule(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const { program, module, comments } = parseSync(path, text)
  const targets = (ranges: readonly Range[]): string[] => {
    const requests = ranges.map(({ start, end }) => text.slice(start, end).replace(/^['"`]|['"`]$/g, ''))
    return [
      ...new Set(requests.filter((one) => one.startsWith('.')).map((one) => posix.join(posix.dirname(path), one))),
    ]
  }
  const statements = [
    ...module.staticImports.map(({ start, moduleRequest }) => ({ start, from: moduleRequest })),
    ...module.staticExports.flatMap(({ start, entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [{ start, from: moduleRequest }])),
    ),
  ]
  const [types, values] = split(statements, ({ start }) =>
    /^(?:import|export) type\b/.test(text.slice(start, start + 12)),
  )
  return {
    path,
    text,
    lines: lineOf(text, text.trimEnd().length),
    functions: measure(text, functionsOf(program)),
    imports: targets(values.map(({ from }) => from)),
    typeImports: targets(types.map(({ from }) => from)),
    loads: targets(module.dynamicImports.map(({ moduleRequest }) => moduleRequest)),
    code: blank(text, comments),
  }
}

type Named = Range & { readonly name: string }

function functionsOf(program: ReturnType<typeof parseSync>['program']): Named[] {
  const found: Named[] = []
  const add = (node: FunctionNode | ArrowFunctionExpression) => {
    if (node.body?.type !== 'BlockStatement') return
    found.push({ start: node.start, end: node.end, name: ('id' in node ? node.id?.name : undefined) ?? '' })
  }
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program)
  return found
}

function measure(text: string, functions: readonly Named[]): SourceFunction[] {
  const lines = ({ start, end }: Range): number => lineOf(text, end) - lineOf(text, start) + 1
  const holds = (outer: Range, inner: Range): boolean =>
    outer !== inner && outer.start <= inner.start && inner.end <= outer.end
  return functions.map((one) => {
    const inside = functions.filter((other) => holds(one, other))
    const nearest = inside.filter((other) => !inside.some((between) => holds(between, other)))
    return {
      name: one.name,
      line: lineOf(text, one.start),
      lines: lines(one),
      ownLines: lines(one) - nearest.reduce((sum, other) => sum + lines(other) - 1, 0),
    }
  })
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

function blank(text: string, ranges: readonly Range[]): string {
  return ranges.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

/** Groups of files that import each other in a cycle, through value imports by default. */
export function importCycles(
  files: readonly SourceFile[],
  asked: (file: SourceFile) => readonly string[] = ({ imports }) => imports,
): string[][] {
  const importsOf = new Map(files.map((file) => [file.path, asked(file)]))
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    low.set(path, order.get(path)!)
    open.push(path)
    for (const next of importsOf.get(path) ?? []) {
      if (!importsOf.has(next)) continue
      if (!order.has(next)) visit(next)
      if (open.includes(next)) low.set(path, Math.min(low.get(path)!, low.get(next)!))
    }
    if (low.get(path) !== order.get(path)) return
    const group = open.splice(open.indexOf(path))
    if (group.length > 1 || importsOf.get(path)!.includes(path)) cycles.push(group.sort())
  }
  for (const { path } of files) if (!order.has(path)) visit(path)
  return cycles
}
