/** Whether a name fits a pattern with `*` and `?`; case does not matter. A pattern without a dot fits the last part. */
export function fitsName(name: string, pattern: string): boolean {
  const text = name.toLowerCase()
  const last = text.slice(text.lastIndexOf('.') + 1)
  const wanted = [...pattern.toLowerCase()]
  return fits([...text], wanted) || (!pattern.includes('.') && fits([...last], wanted))
}

/** All names when nothing is included; what is excluded stays out either way. */
export const isTaken = (name: string, { include, exclude }: { readonly include: readonly string[]; readonly exclude: readonly string[] }): boolean =>
  (include.length === 0 || include.some((pattern) => fitsName(name, pattern))) && !exclude.some((pattern) => fitsName(name, pattern))

/** Goes back to the last star only, so that no pattern takes longer than its length times that of the name. */
function fits(text: readonly string[], pattern: readonly string[]): boolean {
  let [at, wanted, star, resume] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[wanted] === '*') {
      star = wanted++
      resume = at
    } else if (pattern[wanted] === '?' || pattern[wanted] === text[at]) {
      at++
      wanted++
    } else if (star >= 0) {
      wanted = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[wanted] === '*') wanted++
  return wanted === pattern.length
}
