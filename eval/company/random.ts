/** Another seed generates another company: the same tables and facts, with other rows and people. */
const SEED = process.env['COMPANY_SEED'] ?? '1'

/**
 * Numbers from 0 to 1 that depend only on seed and key, so that every row can be generated without the previous rows.
 */
export function randomOf(key: string, seed = SEED): () => number {
  let state = 2_166_136_261 ^ Number(seed)
  for (let i = 0; i < key.length; i++) state = Math.imul(state ^ key.charCodeAt(i), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whether an item is held out from tuning: a fixed half, chosen by its id. */
export const isKeptBack = (id: string): boolean => randomOf(`half of ${id}`, '1')() < 0.5
