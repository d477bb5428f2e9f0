import type { Edge } from './edges.ts'

/** The connected components, largest first, then by first member; members keep the order of `ids`. */
export function connected(ids: readonly string[], edges: readonly Edge[]): string[][] {
  const parent = new Map(ids.map((id) => [id, id]))
  const rootOf = (id: string): string => {
    let root = id
    while (parent.get(root) !== root) root = parent.get(root)!
    for (let at = id; at !== root;) {
      const next = parent.get(at)!
      parent.set(at, root)
      at = next
    }
    return root
  }
  for (const { from, to } of edges) parent.set(rootOf(from), rootOf(to))
  return [...Map.groupBy(ids, rootOf).values()].sort((a, b) => b.length - a.length)
}
