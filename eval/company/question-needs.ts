import type { Question } from './questions.ts'

/** Returns `schema.table.column` for each column that `schema.table(column column)` names. */
export const neededColumns = ({ needs }: Question): readonly string[] =>
  needs.flatMap((need) => {
    const [, table, columns] = /^([\w.]+)\(([\w ]+)\)$/.exec(need)!
    return columns!.split(' ').map((column) => `${table}.${column}`)
  })

export const neededTables = ({ needs }: Question): readonly string[] => needs.map((need) => need.replace(/\(.*/, ''))

export interface NeededFact {
  /** At least one of these columns must have the words. */
  readonly columns: readonly string[]
  readonly words: readonly string[]
}

export const neededFacts = ({ facts }: Question): readonly NeededFact[] =>
  facts.map((fact) => {
    const at = fact.indexOf(': ')
    return { columns: fact.slice(0, at).split('|'), words: [fact.slice(at + 2)] }
  })
