import type { KnownFunctions, SqlDialect } from './dialect.ts'
import type { FunctionUse } from './statement.ts'

/** Parses space-separated lists of names. */
export const knownFunctions = (lists: {
  readonly values: string
  readonly rows: string
  readonly schemas: readonly string[]
  readonly ending?: RegExp
}): KnownFunctions => ({
  values: namesIn(lists.values),
  rows: namesIn(lists.rows),
  schemas: lists.schemas,
  ending: lists.ending,
})

/**
 * Why a function may not be called, as the end of the sentence `name() …`; undefined if it may. Only functions known to
 * compute may run.
 */
export function refusedFunction(
  { name, schema, place = 'value' }: FunctionUse,
  { functions }: Pick<SqlDialect, 'functions'>,
  ownFunctions: readonly string[] = [],
): string | undefined {
  if (ownFunctions.includes(name))
    return 'is a function that somebody made in this database, and what it reads cannot be checked'
  const isSystem = schema === undefined || functions.schemas.includes(schema)
  const known = place === 'rows' ? functions.rows : functions.values
  const isKnown = isSystem ? known.has(name) : known.has(`${schema}.${name}`)
  if (isKnown || (isSystem && place === 'value' && isCombined(name, functions))) return undefined
  return isSystem
    ? 'is not among the functions that are known only to compute'
    : `of ${schema} is not among the functions that are known only to compute`
}

function isCombined(name: string, functions: KnownFunctions): boolean {
  const base = functions.ending?.exec(name)?.[1]
  return base !== undefined && (functions.values.has(base) || isCombined(base, functions))
}

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((name) => name !== ''))
