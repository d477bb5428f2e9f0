import { nearestFirst } from './close-match.ts'
import { AppError } from './errors.ts'
import { ellipsis } from './text.ts'
import { visibleLine } from './trust/visible.ts'

const MOST_NAMED = 10
const LONGEST_NAME = 100

/** Error for an unknown name: an empty answer would read as if there were nothing to find. */
export function unknownName(kind: string, name: string, known: readonly string[], more = ''): AppError {
  return new AppError('not_found', `No ${kind} named "${ellipsis(visibleLine(name), LONGEST_NAME)}".`, {
    hint: [availableNames(name, known), more].filter((part) => part !== '').join(' '),
  })
}

/** Nearest names first, and how many more there are. */
export function availableNames(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'None exist yet.'
  const names = nearestFirst(name, known).map((one) => ellipsis(visibleLine(one), LONGEST_NAME))
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `Available: ${names.slice(0, MOST_NAMED).join(', ')}${rest}.`
}
