import { zstdDecompressSync } from 'node:zlib'
import { LONGEST_VALUE } from './database-copy.ts'

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Text in a column that some client releases compress; undefined if it is not text or is too large decompressed. */
export function storedText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!(value instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (!bytes.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC)) return bytes.toString('utf8')
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: LONGEST_VALUE }).toString('utf8')
  } catch {
    return undefined
  }
}
