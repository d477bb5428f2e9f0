import type { Calls } from '../../api/call.ts'

/** The chosen source of a case; input for the other sources is kept until it is sent. */
export interface RecordDraft {
  readonly from: 'chat' | 'feedback' | 'search' | 'check'
  readonly chat: string
  readonly feedback: string
  readonly search: string
  readonly check: string
  readonly name: string
}

export const EMPTY_RECORD: RecordDraft = {
  from: 'chat',
  chat: 'last',
  feedback: 'last',
  search: '',
  check: '',
  name: '',
}

/** Input of the operation; undefined if there is not enough input for a case yet. */
export function recordWanted(draft: RecordDraft): Calls['test_record']['input'] | undefined {
  const value = draft[draft.from].trim()
  if (value === '') return undefined
  const name = draft.name.trim()
  return { [draft.from]: value, ...(name !== '' && { name }) }
}
