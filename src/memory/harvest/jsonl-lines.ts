import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { type JsonObject, parseObject } from '../../kernel/system/json-value.ts'

export interface LinesRead {
  /** The byte after the last complete line, after decompression. */
  readonly offset: number
  readonly badLines: number
  /** The file ends in a line without its newline: still being written, neither read nor counted as bad. */
  readonly partialTail: boolean
}

const CHUNK = 1 << 20
const NEWLINE = 0x0a
const LONGEST_PREFIX = 96
/** An image in a log has a few megabytes; a longer line is skipped and counted as bad, whatever it contains. */
export const LONGEST_LINE = 32 * 1024 * 1024
const MOST_UNPACKED = 4 * 1024 ** 3

/**
 * Passes every JSON object of a JSONL file to `onRecord`, in order; returning `true` stops. Blank lines and CRLF are
 * accepted; a line that is not an object is counted. Memory use is one chunk plus the longest line. `ignore` receives
 * the first bytes of a line; if it returns true, the line is not parsed.
 */
export async function readJsonLines(
  path: string,
  onRecord: (record: JsonObject) => boolean | void,
  ignore: (prefix: string) => boolean = () => false,
): Promise<LinesRead> {
  let offset = 0
  let badLines = 0
  let carried: Buffer[] = []
  // Bytes of an overlong line skipped so far.
  let passed = 0
  let held = 0

  const take = (line: Buffer): boolean => {
    if (ignore(line.toString('latin1', 0, LONGEST_PREFIX))) return false
    const text = line.toString('utf8')
    const record = parseObject(text)
    if (record) return onRecord(record) === true
    if (text.trim() !== '') badLines += 1
    return false
  }

  for await (const chunk of chunksOf(path)) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end)
      start = end + 1
      offset += passed + held + rest.length + 1
      const isOverlong = passed > 0 || held + rest.length > LONGEST_LINE
      const line = isOverlong || carried.length === 0 ? rest : Buffer.concat([...carried, rest])
      carried = []
      held = passed = 0
      if (isOverlong) badLines += 1
      else if (take(line)) return { offset, badLines, partialTail: false }
    }
    if (start === chunk.length) continue
    held += chunk.length - start
    if (passed === 0) carried.push(chunk.subarray(start))
    if (held <= LONGEST_LINE && passed === 0) continue
    passed += held
    held = 0
    carried = []
  }
  return { offset, badLines, partialTail: passed > 0 || carried.some((part) => part.toString('utf8').trim() !== '') }
}

async function* chunksOf(path: string): AsyncIterable<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK })
  if (!path.endsWith('.zst')) return yield* file
  // Errors of either stream are thrown in this loop.
  let unpacked = 0
  for await (const chunk of pipeline(file, createZstdDecompress(), () => {})) {
    unpacked += (chunk as Buffer).length
    if (unpacked > MOST_UNPACKED)
      throw Object.assign(new Error('it unpacks to more than 4 GB'), { code: 'ERR_ZSTD_TOO_LARGE' })
    yield chunk as Buffer
  }
}
