import type {
  CommonTable,
  ColumnUse,
  FunctionUse,
  NameRules,
  Output,
  ParsedStatement,
  QueryScope,
  FromItem,
  Star,
  Subquery,
} from './statement.ts'

export interface ScopeDraft extends QueryScope {
  readonly ctes: CommonTable[]
  readonly branches: QueryScope[]
  readonly sources: FromItem[]
  readonly columns: ColumnUse[]
  readonly stars: Star[]
  readonly inner: Subquery[]
  readonly outputs: Output[]
  /** True while a join condition is read. */
  seesPart: boolean
}

export const emptyScope = (): ScopeDraft => ({
  ctes: [],
  branches: [],
  sources: [],
  columns: [],
  stars: [],
  inner: [],
  outputs: [],
  seesPart: false,
})

/** State that a reader of syntax trees collects. */
export interface StatementDraft {
  kind: ParsedStatement['kind']
  verb: string
  readonly effects: Set<string>
  readonly externals: Set<string>
  readonly functions: Map<string, FunctionUse>
  readonly types: Set<string>
  listsCatalogue: boolean
  scope: QueryScope
}

export const draftStatement = (): StatementDraft => ({
  kind: 'query',
  verb: 'SELECT',
  effects: new Set(),
  externals: new Set(),
  functions: new Map(),
  types: new Set(),
  listsCatalogue: false,
  scope: emptyScope(),
})

export function noteFunction(
  draft: StatementDraft,
  name: string,
  schema: string | undefined,
  place: FunctionUse['place'] = 'value',
): void {
  draft.functions.set(JSON.stringify([schema, name, place]), { name, schema, place })
}

export function noteColumn(scope: ScopeDraft, path: readonly string[]): void {
  if (path.length > 0) scope.columns.push({ path, seesPart: scope.seesPart })
}

export function noteSubquery(scope: ScopeDraft, query: QueryScope): void {
  scope.inner.push({ query, seesPart: scope.seesPart })
}

export function inCondition(scope: ScopeDraft, read: () => void): void {
  const before = scope.seesPart
  scope.seesPart = true
  read()
  scope.seesPart = before
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
    types: [...draft.types],
  }
}

/** Records something that reads every column at once: `*`, NATURAL JOIN, PIVOT. */
export function takeAll(scope: ScopeDraft, of: readonly string[] = [], except: readonly string[] = []): void {
  scope.stars.push({ of, except })
}

/** Table that is named but not read, with all its columns: DESCRIBE reveals each. */
export const described = (name: readonly string[]): QueryScope => ({
  ...emptyScope(),
  sources: [{ kind: 'table', name, alias: undefined, columns: [] }],
  stars: [{ of: [], except: [] }],
})

/** `CreateTableAsStmt` becomes `CREATE TABLE AS`. */
export const verbOf = (type: string): string =>
  type
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
