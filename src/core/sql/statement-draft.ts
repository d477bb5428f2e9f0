import type { FunctionUse, NameRules, ParsedStatement, QueryScope, Source, Star } from './statement.ts'

export interface ScopeDraft {
  ctes: { name: string; query: QueryScope }[]
  recursive: boolean
  sources: Source[]
  columns: (readonly string[])[]
  stars: Star[]
  inner: QueryScope[]
  outputs: string[] | undefined
}

export const emptyScope = (): ScopeDraft => ({
  ctes: [],
  recursive: false,
  sources: [],
  columns: [],
  stars: [],
  inner: [],
  outputs: [],
})

/** What a reader of syntax trees collects on its way. */
export interface StatementDraft {
  kind: ParsedStatement['kind']
  verb: string
  readonly effects: Set<string>
  readonly externals: Set<string>
  readonly functions: Map<string, FunctionUse>
  listsCatalogue: boolean
  scope: QueryScope
}

export const draftStatement = (): StatementDraft => ({
  kind: 'query',
  verb: 'SELECT',
  effects: new Set(),
  externals: new Set(),
  functions: new Map(),
  listsCatalogue: false,
  scope: emptyScope(),
})

export function noteFunction(draft: StatementDraft, name: string, schema: string | undefined): void {
  const use = { name: name.toLowerCase(), schema: schema?.toLowerCase() }
  draft.functions.set(`${use.schema ?? ''}.${use.name}`, use)
}

export function finishStatement(draft: StatementDraft, sql: string, names: NameRules): ParsedStatement {
  const { kind, verb, listsCatalogue, scope } = draft
  return {
    sql,
    kind,
    verb,
    listsCatalogue,
    scope,
    names,
    effects: [...draft.effects],
    externals: [...draft.externals],
    functions: [...draft.functions.values()],
  }
}

/** One side of a set operation. The first side names the columns of the whole. */
export function addBranch(scope: ScopeDraft, branch: QueryScope): void {
  scope.outputs = scope.inner.length === 0 ? branch.outputs?.slice() : scope.outputs
  scope.inner.push(branch)
}

/** Something that takes every column at once: `*`, NATURAL JOIN, PIVOT. */
export function takeAll(scope: ScopeDraft, of: readonly string[] = [], except: readonly string[] = []): void {
  scope.stars.push({ of, except })
}

/** `AS x(a, b)`: the given names come first, the rest keep theirs. */
export function withColumnNames(query: QueryScope, names: readonly string[]): QueryScope {
  return names.length === 0 ? query : { ...query, outputs: query.outputs && [...names, ...query.outputs.slice(names.length)] }
}

/** The query of a DESCRIBE: its tables are named, but no column of them is read. */
export function unread(query: QueryScope): QueryScope {
  return {
    ...query,
    columns: [],
    stars: [],
    ctes: query.ctes.map((cte) => ({ ...cte, query: unread(cte.query) })),
    sources: query.sources.map((source) =>
      source.kind === 'derived' ? { ...source, query: source.query && unread(source.query) } : { ...source, renamed: false },
    ),
    inner: query.inner.map(unread),
  }
}

/** `CreateTableAsStmt` becomes `CREATE TABLE AS`. */
export const verbOf = (type: string): string =>
  type
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
