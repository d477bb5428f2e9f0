// What a redactor leaves in the place of a secret.
const MARK = /\[redacted[^\]\n]*\]/gi

/**
 * The texts that a redactor took out: what stands in `before` where `after` has a mark. A secret over several lines is
 * told line by line.
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

/** For a mark of another kind: all that is not the same at both ends. */
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
 * Whether a secret can be recognised by its value alone, so that it may be taken out wherever it stands: no word that people
 * use.
 */
export const isTelling = (value: string): boolean =>
  value.length >= SHORTEST &&
  !/\s/.test(value) &&
  /\p{L}/u.test(value) &&
  (/[0-9]/.test(value) || (/\p{Lu}/u.test(value.slice(1)) && /\p{Ll}/u.test(value) && value.length >= 16))
