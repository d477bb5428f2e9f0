import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { asDelta, type SnapshotDelta } from '../../domain/snapshot/delta.ts'

const MEBIBYTE = 2 ** 20
// Texts in a record are a fraction of this size; anything larger was designed to exhaust memory.
export const MOST_UNFOLDED = 64 * MEBIBYTE
// Brotli reduces real text to between a tenth and a half. A payload with a higher ratio than this is stored
// uncompressed.
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

/** Throws if the payload is damaged, or would unpack to more than the limit. */
export function openPayload({ payload, plain }: Payload): { delta: SnapshotDelta; weight: number } {
  const bytes = Buffer.from(payload, 'base64')
  const text = plain === true ? bytes : brotliDecompressSync(bytes, { maxOutputLength: mostOf(bytes.length) })
  const delta = asDelta(JSON.parse(text.toString('utf8')))
  if (delta === undefined) throw new RangeError('not a snapshot')
  return { delta, weight: text.length }
}

const mostOf = (packed: number): number => Math.min(MOST_UNFOLDED, Math.max(MEBIBYTE, packed * MOST_TIMES))
