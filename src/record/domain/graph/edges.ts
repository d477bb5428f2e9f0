import type { CatalogueEntry } from '../decision/catalogue.ts'
import { mentionedNumbers } from '../decision/mentioned-numbers.ts'

export interface Edge {
  readonly from: string
  readonly to: string
}

/** A supersession that names a decision missing from the record. */
export interface DanglingReference {
  readonly id: string
  readonly field: 'supersedes' | 'superseded_by'
  readonly number: number
}

/** The union of both directions: a link stated by only one of the two files is still a link. */
export function supersessionEdges(decisions: readonly CatalogueEntry[]): {
  edges: Edge[]
  dangling: DanglingReference[]
} {
  const stems = stemsByNumber(decisions)
  const edges = new Map<string, Edge>()
  const dangling: DanglingReference[] = []
  for (const entry of decisions) {
    for (const field of ['supersedes', 'superseded_by'] as const) {
      const ref = entry[field]
      if (ref === null) continue
      const other = stems.get(Number(ref))
      if (other === undefined) dangling.push({ id: entry.stem, field, number: Number(ref) })
      else if (other !== entry.stem) {
        const edge = field === 'supersedes' ? { from: entry.stem, to: other } : { from: other, to: entry.stem }
        edges.set(keyOf(edge), edge)
      }
    }
  }
  return { edges: [...edges.values()].sort(byEnds), dangling }
}

/** Mentions between decisions. A mention between two decisions linked by supersession adds nothing and is skipped. */
export function citationEdges(decisions: readonly CatalogueEntry[], supersessions: readonly Edge[]): Edge[] {
  const stems = stemsByNumber(decisions)
  const replaced = new Set(supersessions.flatMap((edge) => [keyOf(edge), keyOf({ from: edge.to, to: edge.from })]))
  return decisions
    .flatMap(({ stem, mentions = [] }) => mentions.map((num) => ({ from: stem, to: stems.get(num) ?? stem })))
    .filter((edge) => edge.from !== edge.to && !replaced.has(keyOf(edge)))
    .sort(byEnds)
}

/** Finds the decisions that a text mentions as D12 or D012, each once, in the order of mention. */
export function referenceResolver(decisions: readonly CatalogueEntry[]): (text: string) => string[] {
  const stems = stemsByNumber(decisions)
  return (text) => mentionedNumbers(text).flatMap((num) => stems.get(num) ?? [])
}

/** If several decisions share a number, the first by file name represents it. */
function stemsByNumber(decisions: readonly CatalogueEntry[]): Map<number, string> {
  const stems = new Map<number, string>()
  for (const { num, stem } of decisions) if (!stems.has(num)) stems.set(num, stem)
  return stems
}

const keyOf = (edge: Edge): string => `${edge.from}\n${edge.to}`

const byEnds = (a: Edge, b: Edge): number => (keyOf(a) < keyOf(b) ? -1 : 1)
