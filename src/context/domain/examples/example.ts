/** A hand-written question and the SQL that answers it. */
export interface Example {
  readonly question: string
  readonly sql: string
  /** Path of the file that contains it. */
  readonly path: string
  /** Its database, by the name in ken.yaml; undefined if the file does not name one. */
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
  /** Why it no longer works on that database; undefined if it does. */
  readonly stale: string | undefined
}

/** Identifies an example across lists. */
export const exampleKey = ({ path, question, sql }: Example): string => JSON.stringify([path, question, sql])
