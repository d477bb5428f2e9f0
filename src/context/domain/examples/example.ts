/** A question and the SQL that answers it, as somebody wrote them down. */
export interface Example {
  readonly question: string
  readonly sql: string
  /** The file it stands in. */
  readonly path: string
  /** The database it is for, by its name in ken.yaml; undefined where the file does not say. */
  readonly database: string | undefined
  /** Why it cannot be an example, whatever the schema is. */
  readonly fault?: string
}

export const LONGEST_QUESTION = 300
export const LONGEST_SQL = 20_000
/** Of one file. */
export const MOST_EXAMPLES = 500

/** An example held against the schema of one database. */
export interface JudgedExample extends Example {
  /** Why it no longer works there; undefined when it does. */
  readonly stale: string | undefined
}

/** The same example, in whichever list it stands. */
export const exampleKey = ({ path, question, sql }: Example): string => JSON.stringify([path, question, sql])
