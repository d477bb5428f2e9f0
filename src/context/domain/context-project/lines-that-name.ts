/**
 * Returns the lines of a text that name a table: as schema.table, or by its name alone if that is long enough to be
 * unambiguous.
 */
export function linesThatName(
  text: string,
  { schema, name }: { readonly schema: string; readonly name: string },
): readonly { readonly line: number; readonly text: string }[] {
  const wanted = [`${schema}.${name}`, ...(name.length >= SHORTEST ? [name] : [])].map((one) => one.toLowerCase())
  return text
    .split('\n')
    .map((line, at) => ({ line: at + 1, text: line.trim() }))
    .filter(({ text: line }) => wanted.some((word) => holdsWord(line.toLowerCase(), word)))
    .slice(0, MOST)
}

const SHORTEST = 3
const MOST = 20

function holdsWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1))
    if (!/[\w-]$/.test(line.slice(0, at).slice(-1)) && !/^[\w-]/.test(line.slice(at + word.length))) return true
  return false
}
