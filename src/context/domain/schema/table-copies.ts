import type { SchemaTable, SchemaWords } from './schema-words.ts'

/** A table that repeats another: the words in its name that the other does not have, by word number. */
export interface TableCopy {
  readonly of: number
  readonly extra: readonly number[]
}

const MARKS: ReadonlySet<string> = new Set(
  'shadow tmp temp old bak backup archive archived hist history staging stg new copy test dev deprecated legacy orig snapshot'.split(
    ' ',
  ),
)
const LEAST_SHARED = 0.5

/**
 * Backups, histories and staging copies, by table: `shadow_instances`, `orders_2019_backup`, `rooms_hist`. They contain
 * the words of the table they repeat, and are rarely the intended table.
 */
export function findCopies(
  tables: readonly SchemaTable[],
  { words, tables: read }: SchemaWords,
): readonly (TableCopy | undefined)[] {
  const isMark = (word: number): boolean => MARKS.has(words[word]!) || /^\d+$/.test(words[word]!)
  const byName = new Map<string, number[]>()
  read.forEach(({ name }, i) => {
    const key = nameKey(tables[i]!, name)
    byName.set(key, [...(byName.get(key) ?? []), i])
  })
  return tables.map((table, i) => {
    const { name } = read[i]!
    const extra = name.filter(isMark)
    if (extra.length === 0 || extra.length === name.length) return undefined
    const of = byName
      .get(
        nameKey(
          table,
          name.filter((word) => !isMark(word)),
        ),
      )
      ?.find((other) => other !== i && sharedColumns(table, tables[other]!) >= LEAST_SHARED)
    return of === undefined ? undefined : { of, extra }
  })
}

const nameKey = ({ connection }: SchemaTable, name: readonly number[]): string => JSON.stringify([connection, ...name])

function sharedColumns(one: SchemaTable, other: SchemaTable): number {
  const names = new Set(other.columns.map(({ name }) => name.toLowerCase()))
  const shared = one.columns.filter(({ name }) => names.has(name.toLowerCase())).length
  return shared / Math.max(1, one.columns.length, names.size)
}
