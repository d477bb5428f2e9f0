import { AppError } from '../../../kernel/domain/errors.ts'
import type { JournalLine } from './journal-lines.ts'

/**
 * Throws if a line claims to be written by another person, unless the line is already in the record, in which case it
 * came from that person. A line that names no person is accepted.
 */
export function refuseForeignLines(
  brought: readonly JournalLine[],
  { here, person }: { readonly here: readonly JournalLine[]; readonly person: string },
): void {
  const known = new Set(here.map(({ sha256 }) => sha256))
  const foreign = brought.find(({ sha256, event }) => !known.has(sha256) && !isBy(event?.origin, person))
  if (foreign !== undefined)
    throw new AppError('forbidden', 'A pushed change names another author.', {
      hint: 'Each change is sent with the login of its author.',
    })
}

/** Lines of other programs may contain anything in place of an origin. */
function isBy(origin: unknown, person: string): boolean {
  if (typeof origin !== 'object' || origin === null) return true
  const { user } = origin as { user?: unknown }
  return user === undefined || user === person
}
