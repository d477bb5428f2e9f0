// Mark that a redactor leaves in place of a secret.
const MARK = /\[redacted[^\]\n]*\]/gi

/**
 * Texts that a redactor removed: the parts of `before` that are replaced by a mark in `after`. A multi-line secret is
 * returned line by line.
 */
export function takenOut(before: string, after: string): string[] {
  if (before === after) return []
  const [was, is] = [before.split('\n'), after.split('\n')]
  const pairs: (readonly [string, string])[] =
    was.length === is.length ? was.map((line, at) => [line, is[at]!]) : [[before, after]]
  return [...new Set(pairs.flatMap(([old, now]) => (old === now ? [] : betweenMarks(old, now))))]
}

function betweenMarks(before: string, after: string): string[] {
  const kept = after.split(MARK)
  const found = kept.length < 2 ? null : new RegExp(`^${kept.map(literally).join('([\\s\\S]*?)')}$`).exec(before)
  const values = found === null ? [middleOf(before, after)] : found.slice(1)
  return values.flatMap((value) => value.split('\n')).filter((value) => value !== '' && value.replace(MARK, '') !== '')
}

/** Fallback for an unknown mark: everything but the common start and end. */
function middleOf(before: string, after: string): string {
  let head = 0
  while (head < before.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return before.slice(head, before.length - tail)
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const SHORTEST = 8

/**
 * Whether a secret is recognisable by its value alone, so that it may be redacted anywhere: it must not be a word that
 * people use.
 */
export const isTelling = (value: string): boolean =>
  value.length >= SHORTEST &&
  !/\s/.test(value) &&
  /\p{L}/u.test(value) &&
  (/[0-9]/.test(value) || (/\p{Lu}/u.test(value.slice(1)) && /\p{Ll}/u.test(value) && value.length >= 16))
