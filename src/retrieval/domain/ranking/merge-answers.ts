import { byVerdict, type Verdict } from './verdict.ts'

/**
 * Merges the hits of two indexes whose scores are not comparable. Each list keeps its order. The hit with the better
 * verdict comes next, because verdicts are comparable; hits with the same verdict alternate, local hits first, so that
 * neither index crowds out the other. No document may be in both.
 */
export function mergeAnswers<T extends { readonly verdict: Verdict }>(
  own: readonly T[],
  others: readonly T[],
  limit: number,
): readonly T[] {
  const merged: T[] = []
  const turns = new Map<Verdict, number>()
  for (let [at, from] = [0, 0]; merged.length < limit;) {
    const [mine, theirs] = [own[at], others[from]]
    if (mine === undefined && theirs === undefined) break
    const isMine = theirs === undefined || (mine !== undefined && isFirst(mine.verdict, theirs.verdict, turns))
    const next = isMine ? mine! : theirs
    merged.push(next)
    // Surplus of own hits with this verdict so far.
    turns.set(next.verdict, (turns.get(next.verdict) ?? 0) + (isMine ? 1 : -1))
    if (isMine) at++
    else from++
  }
  return merged
}

const isFirst = (mine: Verdict, theirs: Verdict, turns: ReadonlyMap<Verdict, number>): boolean =>
  (byVerdict(mine, theirs) || (turns.get(mine) ?? 0)) <= 0
