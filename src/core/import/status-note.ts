import { strip } from '../text.ts'

const LEAD = 'Status in the source ADR: '

/**
 * The first paragraph of a decision whose source did not simply say "accepted": a record knows only active and
 * superseded.
 */
export const statusNote = (status: string): string => `*${LEAD}${strip(status.replaceAll('*', ''))}*`

/** Takes the note off again, for whoever writes the decision as an ADR. */
export function splitStatusNote(rationale: string): {
  readonly status: string | undefined
  readonly rationale: string
} {
  const [, status] = new RegExp(`^\\*${LEAD}([^*\\n]+)\\*\\n+`).exec(rationale) ?? []
  return status === undefined
    ? { status, rationale }
    : { status, rationale: rationale.slice(rationale.indexOf('\n')).trimStart() }
}
