/** The next or previous of sorted places, wrapping around; `at` if there are none. */
export function hitBeside(hits: readonly number[], at: number, by: 1 | -1): number {
  if (hits.length === 0) return at
  return by === 1 ? (hits.find((hit) => hit > at) ?? hits[0]!) : (hits.findLast((hit) => hit < at) ?? hits.at(-1)!)
}
