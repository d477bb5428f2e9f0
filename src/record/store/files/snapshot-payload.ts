import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { asDelta, type SnapshotDelta } from '../../domain/snapshot/delta.ts'

const MEBIBYTE = 2 ** 20
// Texts of a record come to a fraction of this; what is larger was made to fill the memory.
export const MOST_UNFOLDED = 64 * MEBIBYTE
// Brotli makes a tenth to a half of real text. A payload that says more than this of itself is stored as it is.
const MOST_TIMES = 1000

export interface Payload {
  readonly payload: string
  readonly plain?: true
}

export function closePayload(delta: SnapshotDelta): Payload {
  const text = Buffer.from(JSON.stringify(delta))
  // Quality 5 is within 15 % of the best and twenty times faster on a large record.
  const packed = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
  })
  return text.length > mostOf(packed.length)
    ? { payload: text.toString('base64'), plain: true }
    : { payload: packed.toString('base64') }
}

/** Throws when the payload is damaged, or would unfold to more than it may. */
export function openPayload({ payload, plain }: Payload): { delta: SnapshotDelta; weight: number } {
  const bytes = Buffer.from(payload, 'base64')
  const text = plain === true ? bytes : brotliDecompressSync(bytes, { maxOutputLength: mostOf(bytes.length) })
  const delta = asDelta(JSON.parse(text.toString('utf8')))
  if (delta === undefined) throw new RangeError('not a snapshot')
  return { delta, weight: text.length }
}

const mostOf = (packed: number): number => Math.min(MOST_UNFOLDED, Math.max(MEBIBYTE, packed * MOST_TIMES))
