import type { TableRef } from './catalogue.ts'

/**
 * Finds the tables whose name stands in a text of SQL as a word or in quotes. It may name more than the text reads,
 * never fewer, so it serves for "may have changed" and for nothing that must be exact.
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
