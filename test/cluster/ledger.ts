export type Protocol = 'mcp' | 'rest'

/**
 * `landed`: the answer confirms the write. `refused`: the answer denies it. `unknown`: there is no answer, or it leaves
 * the outcome open.
 */
export type WriteOutcome = 'landed' | 'refused' | 'unknown'

/** One write, as observed by the client. */
export interface WriteEntry {
  readonly project: string
  readonly kind: 'decision' | 'question' | 'erasure' | 'resolution'
  /** A word that occurs only in this write; of an erasure, the word that it removed. */
  readonly mark: string
  /** The decision that this one superseded, as known to its writer. */
  readonly target?: { readonly number: number; readonly mark: string }
  readonly outcome: WriteOutcome
  /** The assigned number. */
  readonly number?: number
}

/** Durations of one kind of call, and failures. */
export interface CallFigures {
  readonly protocol: Protocol
  readonly effect: 'read' | 'write'
  readonly times: number[]
  readonly faults: Record<string, number>
}

export interface Ledger {
  readonly writes: WriteEntry[]
  readonly figures: CallFigures[]
}

export const emptyLedger = (): Ledger => ({
  writes: [],
  figures: (['mcp', 'rest'] as const).flatMap((protocol) =>
    (['read', 'write'] as const).map((effect) => ({ protocol, effect, times: [], faults: {} })),
  ),
})

/** Merges the ledgers of several client processes. */
export function joined(ledgers: readonly Ledger[]): Ledger {
  const all = emptyLedger()
  for (const { writes, figures } of ledgers) {
    for (const write of writes) all.writes.push(write)
    for (const { protocol, effect, times, faults } of figures) {
      const into = figuresOf(all, protocol, effect)
      for (const time of times) into.times.push(time)
      for (const [fault, count] of Object.entries(faults)) into.faults[fault] = (into.faults[fault] ?? 0) + count
    }
  }
  return all
}

export const figuresOf = ({ figures }: Ledger, protocol: Protocol, effect: 'read' | 'write'): CallFigures =>
  figures.find((one) => one.protocol === protocol && one.effect === effect)!

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
