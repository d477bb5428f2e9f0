/** Whether a name matches a pattern with `*` and `?`, ignoring case. A pattern without a dot matches the last part. */
export function fitsName(name: string, pattern: string): boolean {
  const [whole, wanted] = [name.toLowerCase(), pattern.toLowerCase()]
  return fits(whole, wanted) || (!wanted.includes('.') && fits(whole.slice(whole.lastIndexOf('.') + 1), wanted))
}

/**
 * Matches with backtracking to the last `*` only: earlier parts match as early as possible, and no later position would
 * help.
 */
function fits(name: string, pattern: string): boolean {
  let [at, wanted, star, resume] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[wanted] === '*') [star, resume] = [wanted++, at]
    else if (wanted < pattern.length && (pattern[wanted] === '?' || pattern[wanted] === name[at]))
      [at, wanted] = [at + 1, wanted + 1]
    else if (star >= 0) [at, wanted] = [++resume, star + 1]
    else return false
  }
  while (pattern[wanted] === '*') wanted++
  return wanted === pattern.length
}

/** Whether a name is included: all are if `include` is empty; excluded names never are. */
export const isTaken = (
  name: string,
  { include, exclude }: { readonly include: readonly string[]; readonly exclude: readonly string[] },
): boolean =>
  (include.length === 0 || include.some((pattern) => fitsName(name, pattern))) &&
  !exclude.some((pattern) => fitsName(name, pattern))

interface Excluding {
  readonly exclude: readonly string[]
}

/** The column patterns of ken.yaml for one table: the last part of `schema.table.column`. */
export const hiddenPatterns = (
  table: { readonly schema: string; readonly name: string },
  { exclude }: Excluding,
): readonly string[] =>
  exclude
    .filter(
      (pattern) =>
        pattern.split('.').length === 3 &&
        fitsName(`${table.schema}.${table.name}`, pattern.slice(0, pattern.lastIndexOf('.'))),
    )
    .map((pattern) => pattern.slice(pattern.lastIndexOf('.') + 1))

export function hiddenAmong(
  names: readonly string[],
  table: { readonly schema: string; readonly name: string },
  config: Excluding,
): readonly string[] {
  const patterns = hiddenPatterns(table, config)
  return names.filter((name) => patterns.some((pattern) => fitsName(name, pattern)))
}
