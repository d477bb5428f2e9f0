import type { AllowedTable } from './policy.ts'
import type { ParsedStatement, QueryScope } from './statement.ts'

/** Table with known facts about its secrets. */
export interface SecretTable extends AllowedTable {
  /** Columns whose values looked like secrets when the table was read for the context. */
  readonly secret: readonly string[]
  /** Columns with personal data that the reader may filter by but not see. */
  readonly personal?: readonly string[]
}

const WORDS =
  'password|passwd|passwort|pwd|passphrase|passcode|secret|token|api_?key|apikey|access_?key|private_?key|secret_?key|signing_?key|encryption_?key|credentials?'
const NAMED = new RegExp(String.raw`^(?:.*_)?(?:${WORDS})(?:_?(?:hash|hashed|digest|encrypted|enc|value|plain|text))?$`)

/** Whether the name alone marks the values as secret: `password`, `stripe_api_key`, `refreshToken`. */
export function isSecretName(name: string): boolean {
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s.-]+/g, '_')
    .toLowerCase()
  return NAMED.test(snake)
}

export interface SecretsRead {
  /** `schema.table.column`, for people. */
  readonly columns: readonly string[]
  /** Lower-case names of columns in which every text is masked. */
  readonly named: ReadonlySet<string>
  /** Lower-case names of columns with every value masked, including numbers and dates. */
  readonly personal: ReadonlySet<string>
}

/**
 * Secret columns that a statement reads in any way, including in a condition. Names match in any table of the
 * statement: too much is masked rather than too little. Undefined if it reads none.
 */
export function secretsRead(statement: ParsedStatement, tables: readonly SecretTable[]): SecretsRead | undefined {
  const scopes = everyScope(statement.scope)
  const sources = scopes.flatMap((scope) => scope.sources)
  const written = sources.flatMap((source) => (source.kind === 'table' ? [fold(source.name.at(-1) ?? '')] : []))
  const touched = tables.filter((table) => written.includes(fold(table.name)))
  const rows = new Set([
    ...written,
    ...sources.flatMap((source) => (source.alias === undefined ? [] : [fold(source.alias)])),
  ])
  const paths = scopes.flatMap((scope) => scope.columns.map(({ path }) => path))
  const parts = new Set(paths.flat().map(fold))
  const stars = scopes.flatMap((scope) => scope.stars)
  const takesRows =
    sources.some((source) => source.kind === 'table' && source.columns.length > 0) ||
    paths.some((path) => rows.has(fold(path.at(-1) ?? '')))
  const isRead = (column: string): boolean =>
    takesRows ||
    parts.has(fold(column)) ||
    stars.some((star) => !star.except.some((name) => fold(name) === fold(column)))
  const found = touched.flatMap((table) =>
    secretColumns(table)
      .filter(isRead)
      .map((column) => ({ table, column })),
  )
  if (found.length === 0) return undefined
  return {
    columns: found.map(({ table, column }) => `${table.schema}.${table.name}.${column}`),
    named: new Set(
      found
        .map(({ column }) => column)
        .filter(isSecretName)
        .map(fold),
    ),
    personal: new Set(
      found.filter(({ table, column }) => table.personal?.includes(column)).map(({ column }) => fold(column)),
    ),
  }
}

const secretColumns = ({ columns, secret, personal = [] }: SecretTable): readonly string[] =>
  columns.filter((name) => isSecretName(name) || secret.includes(name) || personal.includes(name))

/** A scope and all scopes inside it, however deeply they are nested. */
export function everyScope(outermost: QueryScope): readonly QueryScope[] {
  const scopes = [outermost]
  // Iterating an array includes elements added on the way.
  for (const scope of scopes) {
    scopes.push(...[...scope.ctes, ...scope.inner].map(({ query }) => query), ...scope.branches)
    scopes.push(...scope.sources.flatMap((source) => (source.kind === 'derived' ? [source.query] : [])))
  }
  return scopes
}

const fold = (name: string): string => name.toLowerCase()
