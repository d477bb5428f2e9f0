import type { Adr } from './adr.ts'
import { resolveRef, type AdrRef } from './adr-ref.ts'

/** An ADR among the others of its folder. */
export interface PlacedAdr {
  readonly path: string
  readonly adr: Adr
}

export interface Notice {
  readonly path: string
  readonly message: string
}

export interface Lineage {
  /** Each replaced ADR and the one that replaced it; without cycles. */
  readonly successor: ReadonlyMap<string, string>
  readonly notices: readonly Notice[]
}

/**
 * Joins what each ADR says about itself with what the others say about it. Its own word counts first; the word of another counts
 * when that one was accepted. What contradicts, leads nowhere or turns in a circle is told and changes nothing. `adrs` come oldest first.
 */
export function traceLineage(adrs: readonly PlacedAdr[]): Lineage {
  const notices: Notice[] = []
  const tell = (path: string, message: string): void => void notices.push({ path, message })
  const addressable = adrs.map(({ path, adr }) => ({ path, number: adr.number, links: adr.links }))
  const resolve = (path: string, refs: readonly AdrRef[], relation: string): string[] => {
    const found = new Set<string>()
    for (const ref of refs) {
      const hit = resolveRef(ref, path, addressable)
      if ('fault' in hit) tell(path, `${relation} ${hit.fault}`)
      else if (hit.path === path) tell(path, `${relation} itself, which is ignored`)
      else found.add(hit.path)
    }
    return [...found]
  }

  const claims = new Map<string, string[]>()
  for (const { path, adr } of adrs) {
    for (const old of resolve(path, adr.supersedes, 'supersedes')) claims.set(old, [...(claims.get(old) ?? []), path])
    for (const line of adr.partly) tell(path, `only a part of it was replaced, so it stays active: ${line}`)
  }
  const kinds = new Map(adrs.map(({ path, adr }) => [path, adr.status.kind]))
  const successor = new Map<string, string>()
  for (const { path, adr } of adrs) {
    const [own, ...more] = resolve(path, adr.supersededBy, 'is superseded by')
    for (const other of more) tell(path, `is superseded by ${own} and by ${other}; the first is kept`)
    const claimants = claims.get(path) ?? []
    const next = own ?? strongestClaim(path, claimants, kinds, tell)
    if (next !== undefined) successor.set(path, next)
    for (const claimant of claimants) if (own !== undefined && claimant !== own) tell(claimant, `supersedes ${path}, but that says it is superseded by ${own}; its own word is kept`)
  }
  breakCycles(successor, tell)
  return { successor, notices }
}

/** Nobody is replaced by a proposal, nor by what was rejected. Of several the newest is the one in force. */
function strongestClaim(path: string, claimants: readonly string[], kinds: ReadonlyMap<string, string>, tell: (path: string, message: string) => void): string | undefined {
  const valid = claimants.filter((claimant) => !['proposed', 'rejected'].includes(kinds.get(claimant) ?? ''))
  for (const claimant of claimants) if (!valid.includes(claimant)) tell(claimant, `supersedes ${path}, but is itself ${kinds.get(claimant)}; ${path} stays active`)
  for (const other of valid.slice(0, -1)) tell(other, `supersedes ${path}, as does ${valid.at(-1)}; the newer is kept`)
  return valid.at(-1)
}

function breakCycles(successor: Map<string, string>, tell: (path: string, message: string) => void): void {
  for (const start of [...successor.keys()]) {
    const seen = [start]
    let next = successor.get(start)
    while (next !== undefined && !seen.includes(next)) {
      seen.push(next)
      next = successor.get(next)
    }
    if (next !== start) continue
    for (const path of seen) successor.delete(path)
    tell(start, `is part of a circle of supersessions (${[...seen, start].join(' → ')}); none of them is kept`)
  }
}
