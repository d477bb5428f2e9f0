/**
 * Visits every position of a text that may start with one of the beginnings, ignoring case, by its first three
 * characters. `groups` has a bit for each list that may match; the caller checks further. One pass for all lists is
 * many times as fast as one search per beginning, or one pattern of all.
 */
export function openScan(
  ...lists: readonly (readonly string[])[]
): (text: string, visit: (at: number, groups: number) => void) => void {
  const begins = new Uint8Array(1 << 15)
  lists.forEach((beginnings, list) => {
    for (const beginning of beginnings) {
      const isPair = beginning.length < 3
      const key = keyOf(isPair ? `${beginning}@` : beginning)
      for (let last = 0; last < (isPair ? 32 : 1); last++) begins[key + last]! |= 1 << list
    }
  })
  return (text, visit) => {
    const { length } = text
    let key = 0
    for (let at = 0; at < length; at++) {
      key = ((key << 5) | (text.charCodeAt(at) & 31)) & 0x7fff
      const groups = begins[key]!
      if (groups !== 0 && at >= 2) visit(at - 2, groups)
    }
  }
}

/** Key of the three characters at a place. */
export const keyOf = (text: string, at = 0): number =>
  ((text.charCodeAt(at) & 31) << 10) | ((text.charCodeAt(at + 1) & 31) << 5) | (text.charCodeAt(at + 2) & 31)
