/** Whether lists and objects are nested deeper than this, which would overflow a recursive walk. */
export function isDeeper(value: unknown, most: number): boolean {
  const waiting: { readonly held: unknown; readonly depth: number }[] = [{ held: value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { held, depth } = next
    if (typeof held !== 'object' || held === null) continue
    if (depth >= most) return true
    for (const inner of Array.isArray(held) ? held : Object.values(held))
      if (typeof inner === 'object') waiting.push({ held: inner, depth: depth + 1 })
  }
  return false
}
