import type { TableRef } from './catalogue.ts'

/**
 * Finds tables named in a SQL text, as a word or in quotes. It may return more than the text reads, never fewer, so it
 * is suitable for "may have changed" but not for anything exact.
 */
export function nameFinder<Table extends TableRef>(tables: readonly Table[]): (sql: string) => readonly Table[] {
  const plain = Map.groupBy(
    tables.filter(({ name }) => PLAIN.test(name)),
    ({ name }) => name.toLowerCase(),
  )
  const others = tables.filter(({ name }) => !PLAIN.test(name))
  return (sql) => {
    const text = sql.toLowerCase()
    return [
      ...[...new Set(text.match(WORDS))].flatMap((word) => plain.get(word) ?? []),
      ...others.filter(({ name }) => text.includes(name.toLowerCase().replaceAll('"', '""'))),
    ]
  }
}

const PLAIN = /^[\p{L}\p{N}_$#@]+$/u
const WORDS = /[\p{L}\p{N}_$#@]+/gu
