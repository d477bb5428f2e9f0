/** The files of a record, under the names that every store of this format uses. */
export const PROJECT = 'project.md'
export const STATE = 'state_current.md'
export const STATE_HISTORY = 'state_history.md'
export const STATE_LEGACY = 'state.md'
export const STACK = 'stack.md'
export const QUESTIONS = 'open-questions.md'
export const HASHES = '.decision-hashes.json'
export const decisionPath = (stem: string): string => `decisions/${stem}.md`
