import { AppError } from './errors.ts'
import { ellipsis } from './text.ts'
import { visibleLine } from './trust/visible.ts'

/** The candidate that was probably meant, if one is close enough to be a typo. */
export function closeMatch(word: string, candidates: readonly string[]): string | undefined {
  const scored = candidates.map((candidate) => ({ candidate, distance: editDistance(fold(word), fold(candidate)) }))
  const [best] = scored.toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= slipsIn(word) ? best.candidate : undefined
}

export const didYouMean = (word: string, candidates: readonly string[]): string => {
  if (candidates.length === 0) return 'There is none yet.'
  const near = closeMatch(word, candidates)
  return near === undefined ? `It may be one of: ${candidates.join(', ')}.` : `Did you mean "${near}"?`
}

/** Candidates by edit distance; candidates that contain the word, or are contained in it, come first. */
export function nearestFirst(word: string, candidates: readonly string[]): string[] {
  const folded = fold(word.slice(0, LONGEST_COMPARED))
  const distance = (candidate: string): number => {
    const other = fold(candidate.slice(0, LONGEST_COMPARED))
    const isPart = folded !== '' && other !== '' && (other.includes(folded) || folded.includes(other))
    return isPart ? 0 : editDistance(folded, other)
  }
  return candidates
    .map((candidate) => ({ candidate, distance: distance(candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate)
}

// Edit distance costs the product of both lengths.
const LONGEST_COMPARED = 64

/** Maximum number of typos for a word: `foo` is not `log`. */
const slipsIn = (word: string): number => (word.length <= 3 ? 1 : Math.max(2, Math.floor(word.length / 3)))

/** Whether a word differs from another by a letter, or two if long. */
export const isSlipOf = (word: string, meant: string): boolean =>
  Math.abs(word.length - meant.length) <= 4 && editDistance(fold(word), fold(meant)) <= (meant.length < 10 ? 1 : 2)

const fold = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, '')

/** Number of letters to insert, delete, replace, or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
          swapped ? before[j - 2]! + 1 : Infinity,
        ),
      )
    }
    ;[before, row] = [row, next]
  }
  return row[b.length]!
}

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
