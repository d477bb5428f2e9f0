export type CodeLanguage = 'sql' | 'markdown' | 'yaml'

/** A problem at a place in the text; lines are 1-based. */
export interface CodeProblem {
  readonly line: number
  readonly message: string
  readonly tone?: 'warn' | 'bad'
}

export interface CodeChoice {
  readonly label: string
  readonly detail?: string
  /** Text to insert; default: the label. */
  readonly apply?: string
}

/** Completions at a position in the text: the start of the word, and its choices. */
export type CompleteCode = (
  text: string,
  at: number,
) => { readonly from: number; readonly choices: readonly CodeChoice[] } | undefined

/** Help for a place in the text; undefined if there is none. */
export type CodeHelp = (text: string, at: number) => string | undefined
