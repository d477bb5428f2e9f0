import { resolveRef, type AdrRef } from '../../../kernel/domain/adr/adr-ref.ts'
import type { Adr } from './adr.ts'

/** An ADR with its path in the folder. */
export interface PlacedAdr {
  readonly path: string
  readonly adr: Adr
}

export interface Notice {
  readonly path: string
  readonly message: string
}

type Tell = (path: string, message: string) => void

export interface Lineage {
  /** Each superseded ADR and its successor; without cycles. */
  readonly successor: ReadonlyMap<string, string>
  readonly notices: readonly Notice[]
}

/**
 * Combines each ADR's statements about itself with those of others about it. Its own take precedence; another ADR's
 * count if that ADR was accepted. Contradictions, dead links and cycles are reported and change nothing. `adrs`: oldest
 * first.
 */
export function traceLineage(adrs: readonly PlacedAdr[]): Lineage {
  const notices: Notice[] = []
  const tell: Tell = (path, message) => {
    if (!notices.some((n) => n.path === path && n.message === message)) notices.push({ path, message })
  }
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

  const claims = new Map<string, PlacedAdr[]>()
  for (const placed of adrs) {
    for (const old of resolve(placed.path, placed.adr.supersedes, 'supersedes'))
      claims.set(old, [...(claims.get(old) ?? []), placed])
    for (const line of placed.adr.partly)
      tell(placed.path, `only a part of it was replaced, so it stays active: ${line}`)
  }
  const successor = new Map<string, string>()
  for (const { path, adr } of adrs) {
    const [own, ...more] = resolve(path, adr.supersededBy, 'is superseded by')
    for (const other of more) tell(path, `is superseded by ${own} and by ${other}; the first is kept`)
    const claimants = claims.get(path) ?? []
    const next = own ?? strongestClaim(path, claimants, tell)
    if (next !== undefined) successor.set(path, next)
    const others = own === undefined ? [] : claimants.filter((claimant) => claimant.path !== own)
    for (const other of others)
      tell(other.path, `supersedes ${path}, but that says it is superseded by ${own}; its own word is kept`)
  }
  breakCycles(successor, tell)
  return { successor, notices }
}

/** The newest valid claimant: a proposal or a rejected ADR supersedes nothing. */
function strongestClaim(path: string, claimants: readonly PlacedAdr[], tell: Tell): string | undefined {
  const valid = claimants.filter(({ adr }) => !NOT_IN_FORCE.has(adr.status.kind))
  for (const { path: claimant, adr } of claimants) {
    if (NOT_IN_FORCE.has(adr.status.kind))
      tell(claimant, `supersedes ${path}, but is itself ${adr.status.kind}; ${path} stays active`)
  }
  for (const { path: other } of valid.slice(0, -1))
    tell(other, `supersedes ${path}, as does ${valid.at(-1)!.path}; the newer is kept`)
  return valid.at(-1)?.path
}

const NOT_IN_FORCE: ReadonlySet<string> = new Set(['proposed', 'rejected'])

function breakCycles(successor: Map<string, string>, tell: Tell): void {
  for (const start of successor.keys()) {
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
