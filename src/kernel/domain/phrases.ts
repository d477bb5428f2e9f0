import { fieldNamed } from './named-operation.ts'

/** Sentences that several operations have in common: one phrase for one meaning. */

/** A file, folder or other thing that a caller named by its place. */
export const notFound = (kind: string, name: string): string => `${kind} ${name} not found.`

/** An empty list, before its first entry. */
export const noneYet = (things: string): string => `No ${things} yet.`

export const NO_CHANGES = 'No changes.'

export const CONFIRM_OR_YES = `Confirm interactively or pass ${fieldNamed('yes')}.`

/** A rejected alternative that a text or a change takes up again; `by` is the decision that rejected it. */
export const reintroduces = (alternative: string, by: string): string =>
  `reintroduces "${alternative}", rejected in ${by}`
