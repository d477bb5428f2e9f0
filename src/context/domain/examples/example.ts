/** A hand-written question and the SQL that answers it. */
export interface Example {
  readonly question: string
  readonly sql: string
  /** Path of the file that contains it. */
  readonly path: string
  /** The example's database, by its name in ken.yaml; undefined if the file does not name one. */
  readonly database: string | undefined
  /** Why it is not a valid example, independent of the schema. */
  readonly fault?: string
}

export const LONGEST_QUESTION = 300
export const LONGEST_SQL = 20_000
/** Maximum per file. */
export const MOST_EXAMPLES = 500

/** An example checked against the schema of one database. */
export interface JudgedExample extends Example {
  /** Why the example no longer works on that database; undefined if it does. */
  readonly stale: string | undefined
}

/** Identifies an example across lists. */
const exampleKey = ({ path, question, sql }: Example): string => JSON.stringify([path, question, sql])

export interface StaleExample {
  readonly path: string
  readonly question: string
  readonly reason: string
}

/**
 * The examples that work on no database, each with the reason. An example without a database works if any database
 * accepts it; one with an unreadable database is skipped.
 */
export function staleExamples(
  all: readonly Example[],
  judged: readonly JudgedExample[],
  { databases, isWhole }: { readonly databases: readonly string[]; readonly isWhole: boolean },
): readonly StaleExample[] {
  const verdicts = Map.groupBy(judged, exampleKey)
  return all.flatMap((example) => {
    const { path, question, database } = example
    const told = (reason: string): StaleExample[] => [{ path, question, reason }]
    if (database !== undefined && !databases.includes(database))
      return isWhole ? told(`ken.yaml has no database "${database}"`) : []
    const own = verdicts.get(exampleKey(example)) ?? []
    if (own.length === 0 || own.some(({ stale }) => stale === undefined)) return []
    if (database !== undefined || databases.length === 1) return told(own[0]!.stale!)
    return own.length === databases.length
      ? told(`it fits no database of ken.yaml; say which one it is for with \`-- database: name\``)
      : []
  })
}
