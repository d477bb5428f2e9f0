export type CodeLanguage = 'sql' | 'markdown' | 'yaml'

/** Something about a place of the text; lines from 1. */
export interface CodeProblem {
  readonly line: number
  readonly message: string
  readonly tone?: 'warn' | 'bad'
}

export interface CodeChoice {
  readonly label: string
  readonly detail?: string
  /** What is put in; the label where nothing is said. */
  readonly apply?: string
}

/** What may stand at a place of the text: where the word begins, and the choices for it. */
export type CompleteCode = (
  text: string,
  at: number,
) => { readonly from: number; readonly choices: readonly CodeChoice[] } | undefined

/** What is known of a place of the text; undefined for nothing. */
export type CodeHelp = (text: string, at: number) => string | undefined
