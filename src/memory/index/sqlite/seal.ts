import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'

export { sealOf } from '../../../kernel/system/row-seal.ts'

/** Tallies are sums of seals, in any order of rows. */
export const plus = (tally: number, seal: number): number => (tally + seal) >>> 0
export const minus = (tally: number, seal: number): number => (tally - seal) >>> 0

/** Compares a value read with the recorded one. */
export function mustBe(found: unknown, written: unknown, what: string): void {
  if (found !== written) throw new IndexDamaged(`${what} not what was written`)
}
