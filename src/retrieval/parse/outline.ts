import type { Node, QueryMatch } from 'web-tree-sitter'
import type { CodeOutline, Definition, DefinitionKind } from '../domain/chunking/code-outline.ts'

export function readOutline(matches: readonly QueryMatch[]): CodeOutline {
  const found: Found[] = []
  const imports: CodeOutline['imports'][number][] = []
  const calls: CodeOutline['calls'][number][] = []
  for (const { captures } of matches) {
    for (const { name, node } of captures) {
      if (name === 'import') imports.push({ module: moduleName(node.text), line: node.startPosition.row + 1 })
      else if (name === 'call') calls.push({ name: node.text, line: node.startPosition.row + 1 })
    }
    const definition = readDefinition(new Map(captures.map(({ name, node }) => [name, node])))
    if (definition) found.push(definition)
  }
  return { definitions: nest(found), imports, calls }
}

interface Found {
  readonly name: string
  readonly kind: DefinitionKind
  readonly scope: readonly string[]
  readonly start: number
  readonly end: number
  readonly startLine: number
  readonly endLine: number
}

// Most precise first.
const KINDS: readonly DefinitionKind[] = [
  'method',
  'function',
  'class',
  'interface',
  'enum',
  'module',
  'implementation',
  'type',
  'macro',
  'constant',
]

/** Nodes around a definition that belong to it: its decorators, its `export`, its template parameters. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'export_statement',
  'decorated_definition',
  'template_declaration',
  'ambient_declaration',
])

function readDefinition(captures: ReadonlyMap<string, Node>): Found | undefined {
  const kind = KINDS.find((kind) => captures.has(kind))
  const names = namesOf(captures)
  const name = names?.at(-1)
  if (kind === undefined || names === undefined || name === undefined || name === '') return undefined
  let node = captures.get(kind)!
  while (node.parent && WRAPPERS.has(node.parent.type)) node = node.parent
  // A node that includes its line break ends at column 0 of the next line.
  const lastRow =
    node.endPosition.column === 0 && node.endPosition.row > node.startPosition.row
      ? node.endPosition.row - 1
      : node.endPosition.row
  return {
    name,
    kind,
    scope: names.slice(0, -1),
    start: node.startIndex,
    end: node.endIndex,
    startLine: node.startPosition.row + 1,
    endLine: lastRow + 1,
  }
}

function namesOf(captures: ReadonlyMap<string, Node>): string[] | undefined {
  const declarator = captures.get('declarator')
  if (declarator) return declaredNames(declarator)
  const name = captures.get('name')?.text.replace(/^["']|["']$/g, '')
  if (name === undefined) return undefined
  const scope = captures.get('scope')?.text
  return scope === undefined ? [name] : [scope, name]
}

/** `*Shape::area() const` → Shape, area. */
function declaredNames(declarator: Node): string[] {
  let node = declarator
  for (let inner: Node | null = node; inner; inner = innerDeclarator(node)) node = inner
  const [name = ''] = node.text.split('(')
  return name
    .trim()
    .replace(/<[^<>]*>(?=::)/g, '')
    .split('::')
}

const innerDeclarator = (node: Node): Node | null =>
  node.childForFieldName('declarator') ?? (node.type === 'reference_declarator' ? node.namedChild(0) : null)

// Each definition repeats the names around it, so thousands of levels would fill memory.
const DEEPEST = 32

function nest(found: readonly Found[]): Definition[] {
  const open: Found[] = []
  return mostPrecise(found)
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((item) => {
      while (open.length > 0 && open.at(-1)!.end <= item.start) open.pop()
      const { name, scope, startLine, endLine } = item
      const definition = {
        name,
        kind: kindInside(item, open.at(-1)),
        within: [...open.slice(-DEEPEST).map(({ name }) => name), ...scope],
        startLine,
        endLine,
      }
      open.push(item)
      return definition
    })
}

/** Keeps the most precise of several patterns that match one definition: a constant with a function is a function. */
function mostPrecise(found: readonly Found[]): Found[] {
  const kept = new Map<string, Found>()
  for (const item of found) {
    const key = `${item.name}\0${item.startLine}\0${item.endLine}`
    const other = kept.get(key)
    if (!other || KINDS.indexOf(item.kind) < KINDS.indexOf(other.kind)) kept.set(key, item)
  }
  return [...kept.values()]
}

const OWNERS: ReadonlySet<DefinitionKind> = new Set(['class', 'interface', 'implementation'])

function kindInside(item: Found, around: Found | undefined): DefinitionKind {
  if (item.kind !== 'function') return item.kind
  return item.scope.length > 0 || (around && OWNERS.has(around.kind)) ? 'method' : 'function'
}

const moduleName = (text: string) => text.replace(/\s+/g, ' ').replace(/^["'<]|[">']$/g, '')
