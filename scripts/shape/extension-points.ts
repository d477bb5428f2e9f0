import type { SourceFile } from './read-source.ts'

export interface ExtensionPoint {
  readonly kind: string
  /** Number of members found. */
  readonly members: number
  /** Number of files to touch when adding a member: the member itself, and those that name it. */
  readonly files: number
  /** The median member, and the files outside its own folder that name it. */
  readonly member: string
  readonly namedIn: readonly string[]
}

interface Kind {
  readonly kind: string
  /** Members with an unambiguous key; if undefined, the operations of the tree. */
  readonly members?: readonly string[]
  /** Files that use the same name for another kind. */
  readonly other: RegExp
}

const KINDS: readonly Kind[] = [
  { kind: 'operation', other: /$^/ },
  { kind: 'source', members: ['notion', 'confluence', 'dbt'], other: /$^/ },
  {
    kind: 'warehouse',
    members: ['athena', 'bigquery', 'clickhouse', 'databricks', 'mssql', 'redshift', 'snowflake', 'trino'],
    other: /$^/,
  },
  {
    kind: 'harvester',
    members: ['claude-code', 'codex', 'gemini', 'opencode'],
    other: /^src\/setup\//,
  },
  {
    kind: 'embedder',
    members: ['ollama', 'onnx'],
    other:
      /model-name|language-model|open-models|\/model\/|llm-|model-shelf|models-npm|domain\/embedding\/catalogue|source-build/,
  },
  { kind: 'client', members: ['copilot', 'vscode'], other: /$^/ },
]

/** Counts, for every kind of extension, the files that name an existing member, apart from its own files. */
export function extensionPoints(files: readonly SourceFile[]): ExtensionPoint[] {
  return KINDS.flatMap(({ kind, members, other }) => {
    const counted = (members ?? operationsOf(files))
      .map((member) => ({ member, namedIn: namedIn(files, member, other) }))
      .sort((one, next) => one.namedIn.length - next.namedIn.length)
    const middle = counted[Math.floor((counted.length - 1) / 2)]
    return middle === undefined ? [] : [{ kind, members: counted.length, files: 1 + middle.namedIn.length, ...middle }]
  })
}

/** Operations with a name that is more than an everyday word. */
const operationsOf = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => path.includes('/operations/'))
    .flatMap(({ code }) => [...code.matchAll(/defineOperation\(\{[^}]*?\bname: '(\w+_\w+)'/g)].map(([, name]) => name!))

/** Returns the files that contain the member's key as a word or import its place; comments are ignored. */
function namedIn(files: readonly SourceFile[], member: string, other: RegExp): string[] {
  const key = member.replaceAll('_', '[_-]')
  const own = new RegExp(`(?:^|[/-])${key}(?:[/.]|-(?!.*/))`)
  const named = new RegExp(`(?<![\\w@-])${key}(?![\\w-])`)
  // Also matches by name: some files define several operations.
  const isOwn = ({ path, code }: SourceFile): boolean =>
    own.test(path) || (member.includes('_') && code.includes(`name: '${member}'`))
  return files.filter((file) => !isOwn(file) && !other.test(file.path) && named.test(file.code)).map(({ path }) => path)
}
