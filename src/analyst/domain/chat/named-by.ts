/**
 * Returns the entries with a name that contains every word, ignoring case: names that begin with the first word, then
 * names with a part that begins with it, then the others.
 */
export function namedBy<T extends { readonly name: string }>(
  all: readonly T[],
  words: readonly string[],
): readonly T[] {
  const wanted = words.map((word) => word.toLowerCase())
  const [first = ''] = wanted
  return all
    .filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)))
    .toSorted((a, b) => rank(a.name, first) - rank(b.name, first))
}

function rank(name: string, word: string): number {
  const lower = name.toLowerCase()
  if (word === '' || lower.startsWith(word)) return 0
  const at = lower.indexOf(word)
  return /[./_-]/.test(lower[at - 1] ?? '') ? 1 : 2
}
