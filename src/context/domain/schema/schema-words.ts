import { stem } from '../../../kernel/domain/text/stem.ts'
import { openIdentifierWords } from './identifier-words.ts'

/** A table with the parts that a question can refer to. */
export interface SchemaTable {
  /** Tables of two connections cannot be joined. */
  readonly connection: string
  readonly schema: string
  readonly name: string
  readonly comment?: string | undefined
  readonly columns: readonly SchemaColumn[]
}

export interface SchemaColumn {
  readonly name: string
  readonly comment?: string | undefined
}

/** The words of all tables, by number, and their places in each table. */
export interface SchemaWords {
  readonly words: readonly string[]
  readonly stems: readonly string[]
  readonly tables: readonly TableWords[]
}

export interface TableWords {
  readonly name: readonly number[]
  /** Words of each column's name, in order. */
  readonly columns: readonly (readonly number[])[]
  /** Words of all columns, each once. */
  readonly inColumns: readonly number[]
  /** Words of the table comment and the schema name. */
  readonly about: readonly number[]
  /** Words of the comment on each column. */
  readonly comments: readonly (readonly number[])[]
  /** Words of all column comments, each once. */
  readonly inComments: readonly number[]
}

export function readSchemaWords(tables: readonly SchemaTable[], knows: (word: string) => boolean): SchemaWords {
  const split = openIdentifierWords(
    tables.flatMap((table) => [table.name, ...table.columns.map(({ name }) => name)]),
    knows,
  )
  const numbers = new Map<string, number>()
  const words: string[] = []
  const numberOf = (word: string): number => {
    let number = numbers.get(word)
    if (number === undefined) {
      numbers.set(word, (number = words.length))
      words.push(word)
    }
    return number
  }
  const namesRead = new Map<string, readonly number[]>()
  const ofName = (name: string): readonly number[] => {
    let read = namesRead.get(name)
    if (read === undefined) namesRead.set(name, (read = [...new Set(split.of(name).map(numberOf))]))
    return read
  }
  const ofText = (text = ''): readonly number[] => {
    const said = text
      .slice(0, LONGEST_COMMENT)
      .toLowerCase()
      .match(/\p{L}{3,}/gu)
    return [...new Set(said?.map(numberOf))]
  }
  const read = tables.map((table) => {
    const columns = table.columns.map(({ name }) => ofName(name))
    const comments = table.columns.map(({ comment }) => ofText(comment))
    return {
      name: ofName(table.name),
      columns,
      inColumns: [...new Set(columns.flat())],
      about: [...new Set([...ofText(table.comment), ...ofName(table.schema)])],
      comments,
      inComments: [...new Set(comments.flat())],
    }
  })
  return { words, stems: words.map(stem), tables: read }
}

const LONGEST_COMMENT = 2_000
