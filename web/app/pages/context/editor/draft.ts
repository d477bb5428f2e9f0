import { keep, kept } from '../../../frame/preferences/preference.ts'

/** A text that was typed and not saved, with the version of the file that it was made from. */
export interface Draft {
  readonly text: string
  readonly version: string
}

const keyOf = (project: string, file: string): string => `ken.draft.${file}.${project}`

export function readDraft(project: string, file: string): Draft | undefined {
  try {
    const value = JSON.parse(kept(keyOf(project, file)) ?? 'null') as Partial<Draft> | null
    return typeof value?.text === 'string' && typeof value.version === 'string'
      ? { text: value.text, version: value.version }
      : undefined
  } catch {
    return undefined
  }
}

export const keepDraft = (project: string, file: string, draft: Draft | undefined): void =>
  keep(keyOf(project, file), draft === undefined ? 'null' : JSON.stringify(draft))
