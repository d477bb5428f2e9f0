import { exampleKey, type Example, type JudgedExample } from './example.ts'

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
