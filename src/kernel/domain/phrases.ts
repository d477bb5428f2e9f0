import { fieldNamed } from './named-operation.ts'

/** Sentences shared by several operations: one phrase for one meaning. */

/** Message for a missing file, folder or other thing that the caller named. */
export const notFound = (kind: string, name: string): string => `${kind} ${name} not found.`

/** Message for an empty list. */
export const noneYet = (things: string): string => `No ${things} yet.`

export const NO_CHANGES = 'No changes.'

export const CONFIRM_OR_YES = `Confirm interactively or pass ${fieldNamed('yes')}.`

/** A rejected alternative that a text or a change reintroduces; `by` is the decision that rejected it. */
export const reintroduces = (alternative: string, by: string): string =>
  `reintroduces "${alternative}", rejected in ${by}`
