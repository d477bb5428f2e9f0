import type { NamedValue } from '../values/value-index.ts'
import { readSchemaQuestion, type EmbedWords, type QuestionTerm } from './read-schema-question.ts'
import { readSchemaWords, type SchemaTable, type TableWords } from './schema-words.ts'
import { findCopies, type TableCopy } from './table-copies.ts'

/** A join between two tables by their list indexes, and its confidence, up to 1. */
export interface SchemaEdge {
  readonly from: number
  readonly to: number
  readonly weight: number
}

export interface LinkedTable {
  /** Its index in the list of tables. */
  readonly table: number
  readonly score: number
  /** Relevance of each of its columns to the question; 0 for most. */
  readonly columns: readonly number[]
}

export interface TableLinker {
  /**
   * The tables that a question probably needs, most certain first; fewer if no more are relevant. `values` are those
   * that the question names.
   */
  link(question: string, most: number, values?: readonly NamedValue[]): Promise<readonly LinkedTable[]>
}

interface LinkerParts {
  readonly edges: readonly SchemaEdge[]
  knows(word: string): boolean
  /** Undefined: only spelling counts. */
  readonly embed: EmbedWords | undefined
}

/*
 * Chosen on one half of the questions of eval/beaver.ts, by needed tables among ten. A word counts twice as much in the
 * name of a table as in a column; a table whose whole name is in the question counts up to two and a half times; half
 * of what makes a copy is taken away; what was said is worth less each time a table has answered to it; and a table
 * joined to good ones shares their score.
 */
const IN_COLUMN = 0.5
const IN_ABOUT = 0.5
const IN_COMMENT = 0.5
const NAME_COVER = 1.5
const PAIR_IN_COLUMN = 0.9
const COPY = 0.5
const COPY_NEAR = 0.3
const ALREADY_ANSWERED = 0.75
const ANSWERED_BY_COLUMN = 0.7
const JOINED_TO_CHOSEN = 0.3
const FROM_NEIGHBOUR = 0.15
const FROM_CHOSEN = 0.2
const OTHER_DATABASE = 0.5
const VALUE = 2

/** Reads the schema once; each question then costs milliseconds, for any number of tables. */
export async function openTableLinker(tables: readonly SchemaTable[], parts: LinkerParts): Promise<TableLinker> {
  const words = readSchemaWords(tables, parts.knows)
  const schema: Schema = {
    tables,
    words: words.tables,
    vocabulary: { ...words, vectors: await parts.embed?.(words.words) },
    copies: findCopies(tables, words),
    near: neighbours(tables.length, parts.edges),
    rarity: rarityOf(words.tables, words.words.length),
  }
  return {
    async link(question, most, values = []) {
      const terms = await readSchemaQuestion(question, schema.vocabulary, parts.embed)
      return choose(schema, scoreTables(schema, terms, values), most)
    },
  }
}

interface Schema {
  readonly tables: readonly SchemaTable[]
  readonly words: readonly TableWords[]
  readonly vocabulary: Parameters<typeof readSchemaQuestion>[1]
  readonly copies: readonly (TableCopy | undefined)[]
  readonly near: readonly ReadonlyMap<number, number>[]
  /** Rarity of a word in table names, by its number. */
  readonly rarity: Float64Array
}

interface Scored {
  readonly terms: readonly TermScores[]
  /** Weight of a table apart from its words: its name, its database, whether it is a copy. */
  readonly factor: Float64Array
  readonly total: Float64Array
  readonly columns: (table: number) => readonly number[]
}

interface TermScores {
  readonly gain: Float64Array
  /** How well each table matches this term, up to 1. */
  readonly answered: Float64Array
}

function scoreTables(schema: Schema, terms: readonly QuestionTerm[], values: readonly NamedValue[]): Scored {
  const count = schema.tables.length
  const rarities: number[] = []
  const scored = terms.map(({ weight, likeness, pair }): TermScores => {
    const [gain, answered] = [new Float64Array(count), new Float64Array(count)]
    let frequency = 0
    schema.words.forEach((table, i) => {
      const named = most(table.name, likeness)
      const inColumns = most(table.inColumns, likeness)
      gain[i] = Math.max(
        named,
        IN_COLUMN * inColumns,
        IN_ABOUT * most(table.about, likeness),
        IN_COMMENT * most(table.inComments, likeness),
      )
      answered[i] = Math.max(named, ANSWERED_BY_COLUMN * inColumns)
      frequency += Math.max(named, 0.5 * inColumns)
    })
    const rarity = Math.log(1 + (Math.max(0, count - frequency) + 0.5) / (frequency + 0.5))
    rarities.push(rarity)
    for (let i = 0; i < count; i++) gain[i]! *= weight * rarity
    if (pair !== undefined) addPairs(gain, schema, [terms[pair[0]]!, terms[pair[1]]!])
    return { gain, answered }
  })
  scored.push(...valueTerms(schema, values))
  const total = new Float64Array(count)
  for (const { gain } of scored) for (let i = 0; i < count; i++) total[i]! += gain[i]!
  const factor = factors(schema, terms, total)
  for (let i = 0; i < count; i++) total[i]! *= factor[i]!
  return {
    terms: scored,
    factor,
    total,
    columns: (table) => columnScores(schema, table, { terms, rarities, values }),
  }
}

/** Ranks columns and tables that match both words of a pair higher. */
function addPairs(gain: Float64Array, { words }: Schema, [one, other]: readonly [QuestionTerm, QuestionTerm]): void {
  words.forEach(({ columns, name }, i) => {
    let best = 0
    for (const part of [...columns, name]) {
      const [a, b] = [most(part, one.likeness), most(part, other.likeness)]
      if (a > 0.5 && b > 0.5) best = Math.max(best, a * b)
    }
    gain[i]! += PAIR_IN_COLUMN * best
  })
}

function factors(schema: Schema, terms: readonly QuestionTerm[], total: Float64Array): Float64Array {
  const factor = Float64Array.from(schema.words, ({ name }, i) => {
    let [covered, whole] = [0, 0]
    for (const word of name) {
      whole += schema.rarity[word]!
      covered += schema.rarity[word]! * Math.max(0, ...terms.map(({ likeness }) => likeness[word]!))
    }
    const copy = schema.copies[i]
    const isAskedFor = copy?.extra.some((word) => terms.some(({ likeness }) => likeness[word]! >= ASKED_FOR)) ?? true
    return (1 + NAME_COVER * Math.sqrt(whole === 0 ? 0 : covered / whole)) * (isAskedFor ? 1 : COPY)
  })
  const databases = Map.groupBy(schema.tables.keys(), (i) => schema.tables[i]!.connection)
  const best = new Map(
    [...databases].map(([name, own]) => {
      const scores = own.map((i) => total[i]! * factor[i]!).toSorted((a, b) => b - a)
      return [name, scores.slice(0, TELLING_TABLES).reduce((sum, score) => sum + score, 0)] as const
    }),
  )
  const highest = Math.max(...best.values(), Number.MIN_VALUE)
  return factor.map(
    (one, i) => one * (1 - OTHER_DATABASE + OTHER_DATABASE * (best.get(schema.tables[i]!.connection)! / highest) ** 2),
  )
}

const ASKED_FOR = 0.8
const TELLING_TABLES = 5

/** Chooses one table at a time: covered terms count less, joins to the chosen tables count more. */
function choose(schema: Schema, { terms, factor, total, columns }: Scored, most: number): readonly LinkedTable[] {
  const chosen: { readonly table: number; readonly score: number }[] = []
  const heard = new Float64Array(terms.length)
  const left = new Set(schema.tables.keys())
  const around = Float64Array.from(schema.near, (near, i) => {
    let best = 0
    for (const [other, weight] of near) best = Math.max(best, total[other]! * weight)
    return best * (schema.copies[i] === undefined ? 1 : COPY_NEAR)
  })
  while (chosen.length < Math.min(most, MOST_IN_TURN) && left.size > 0) {
    const worth = terms.map((_, k) => ALREADY_ANSWERED ** heard[k]!)
    let best = { table: -1, score: 0 }
    for (const i of left) {
      let own = 0
      for (let k = 0; k < terms.length; k++) own += terms[k]!.gain[i]! * worth[k]!
      let [joined, near] = [0, 0]
      for (const { table, score } of chosen) {
        const weight = schema.near[i]!.get(table) ?? 0
        joined = Math.max(joined, weight)
        near = Math.max(near, weight * score)
      }
      const isCopy = schema.copies[i] !== undefined
      const score =
        own * factor[i]! * (1 + JOINED_TO_CHOSEN * joined) +
        FROM_NEIGHBOUR * around[i]! +
        FROM_CHOSEN * near * (isCopy ? COPY_NEAR : 1)
      if (score > best.score) best = { table: i, score }
    }
    if (best.table < 0) break
    chosen.push(best)
    left.delete(best.table)
    for (let k = 0; k < terms.length; k++) heard[k]! += terms[k]!.answered[best.table]!
  }
  // Beyond the most certain tables the order hardly matters, and choosing one at a time is quadratic.
  const rest = chosen.length < MOST_IN_TURN ? [] : [...left]
  const others = rest
    .map((table) => ({ table, score: total[table]! + FROM_NEIGHBOUR * around[table]! }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most - chosen.length)
    .map(({ table, score }) => ({ table, score: Math.min(score, chosen.at(-1)!.score) }))
  return [...chosen, ...others].map((one) => ({ ...one, columns: columns(one.table) }))
}

const MOST_IN_TURN = 120

function columnScores(
  schema: Schema,
  table: number,
  {
    terms,
    rarities,
    values,
  }: { terms: readonly QuestionTerm[]; rarities: readonly number[]; values: readonly NamedValue[] },
): readonly number[] {
  const named = new Map<number, number>()
  for (const { places, likeness } of values)
    for (const place of places)
      if (place.table === table) named.set(place.column, Math.max(named.get(place.column) ?? 0, VALUE * likeness))
  const { columns, comments } = schema.words[table]!
  return columns.map((words, column) => {
    let score = named.get(column) ?? 0
    terms.forEach(({ likeness, weight, pair }, k) => {
      if (pair !== undefined) return
      const said = Math.max(most(words, likeness), COLUMN_COMMENT * most(comments[column]!, likeness))
      score += said * weight * rarities[k]!
    })
    return score / Math.sqrt(Math.max(1, words.length))
  })
}

function valueTerms(schema: Schema, values: readonly NamedValue[]): readonly TermScores[] {
  return values.map(({ places, likeness }) => {
    const [gain, answered] = [new Float64Array(schema.tables.length), new Float64Array(schema.tables.length)]
    const worth = (VALUE * likeness) / Math.sqrt(places.length)
    for (const { table } of places) {
      gain[table] = worth
      answered[table] = likeness
    }
    return { gain, answered }
  })
}

/** A comment has many words, of which few are about the column itself. */
const COLUMN_COMMENT = 0.6

function neighbours(count: number, edges: readonly SchemaEdge[]): readonly ReadonlyMap<number, number>[] {
  const near = Array.from({ length: count }, () => new Map<number, number>())
  for (const { from, to, weight } of edges) {
    if (from === to) continue
    near[from]!.set(to, Math.max(near[from]!.get(to) ?? 0, weight))
    near[to]!.set(from, Math.max(near[to]!.get(from) ?? 0, weight))
  }
  return near
}

function rarityOf(tables: readonly TableWords[], count: number): Float64Array {
  const frequency = new Float64Array(count)
  for (const { name } of tables) for (const word of name) frequency[word]!++
  return frequency.map((times) => Math.log(1 + tables.length / Math.max(1, times)))
}

function most(words: readonly number[], likeness: Float32Array): number {
  let best = 0
  for (const word of words) if (likeness[word]! > best) best = likeness[word]!
  return best
}
