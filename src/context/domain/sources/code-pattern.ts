const LONGEST = 24
// Fewer values share a shape by chance.
const ENOUGH = 5

/**
 * The common shape of all code values, with `0` for any digit, `A` and `a` for any letter: `SKU-00000`. A number of any
 * length at the end is `0…`. Undefined if there is none.
 */
export function codePattern(values: readonly string[]): string | undefined {
  const distinct = [...new Set(values)]
  if (distinct.length < ENOUGH) return undefined
  if (distinct.every((value) => UUID.test(value))) return 'uuid'
  if (distinct.some((value) => value.length > LONGEST || value === '')) return undefined
  const [first] = distinct
  if (distinct.every((value) => value.length === first!.length)) return fixedShape(distinct)
  const prefix = commonPrefix(distinct).replace(/\d+$/, '')
  return prefix !== '' && distinct.every((value) => /^\d+$/.test(value.slice(prefix.length)))
    ? `${prefix}0…`
    : undefined
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function fixedShape(values: readonly string[]): string | undefined {
  const shape = [...values[0]!].map((_, at) => placeOf(values.map((value) => value[at] ?? '')))
  const told = shape.join('')
  // Words of one length also have a shape; a code contains a digit or a mark.
  return shape.includes(undefined) || !/[^\p{L}\s]/u.test(told) ? undefined : told
}

function placeOf(chars: readonly string[]): string | undefined {
  if (chars.every((char) => /\d/.test(char))) return '0'
  if (chars.every((char) => char === chars[0])) return chars[0]
  if (chars.every((char) => /[A-Z]/.test(char))) return 'A'
  return chars.every((char) => /[a-z]/.test(char)) ? 'a' : undefined
}

function commonPrefix(values: readonly string[]): string {
  let prefix = values[0]!
  for (const value of values) while (!value.startsWith(prefix)) prefix = prefix.slice(0, -1)
  return prefix
}
