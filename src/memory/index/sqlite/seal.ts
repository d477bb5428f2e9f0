import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'

export { sealOf } from '../../../kernel/system/row-seal.ts'

/** Adds a seal to a tally, which is a sum of seals in any order of rows. */
export const plus = (tally: number, seal: number): number => (tally + seal) >>> 0
export const minus = (tally: number, seal: number): number => (tally - seal) >>> 0

/** Throws `IndexDamaged` if a value differs from the recorded one. */
export function mustBe(found: unknown, written: unknown, what: string): void {
  if (found !== written) throw new IndexDamaged(`${what} not what was written`)
}
