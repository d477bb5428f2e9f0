/** A question and the SQL that answered it. */
export interface ProvenExample {
  /** A path, or the chat of an answer. */
  readonly from: string
  readonly question: string
  readonly sql: string
  /** Database name from ken.yaml; undefined if not stated. */
  readonly database: string | undefined
}

export interface ChosenExample extends ProvenExample {
  readonly database: string
}

export const exampleText = ({ question, sql, database }: ProvenExample): string =>
  [`Question: ${question}`, ...(database === undefined ? [] : [`Database: ${database}`]), sql].join('\n')
