import { AppError } from '../../../kernel/domain/errors.ts'
import type { JournalLine } from './journal-lines.ts'

/**
 * Throws when somebody brings a line that says another person wrote it, unless it is here already: those came from that
 * person. A line that names nobody is taken for nobody's.
 */
export function refuseForeignLines(
  brought: readonly JournalLine[],
  { here, person }: { readonly here: readonly JournalLine[]; readonly person: string },
): void {
  const known = new Set(here.map(({ sha256 }) => sha256))
  const foreign = brought.find(({ sha256, event }) => !known.has(sha256) && !isBy(event?.origin, person))
  if (foreign !== undefined)
    throw new AppError('forbidden', 'A change that was pushed says that somebody else made it.', {
      hint: 'Changes go to the team with the login of whoever made them.',
    })
}

/** Lines of other programs may hold anything where an origin should be. */
function isBy(origin: unknown, person: string): boolean {
  if (typeof origin !== 'object' || origin === null) return true
  const { user } = origin as { user?: unknown }
  return user === undefined || user === person
}
