import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { type JsonObject, parseObject } from './json-value.ts'

export interface LinesRead {
  /** The byte after the last complete line, counted in what was read (after decompression). */
  readonly offset: number
  readonly badLines: number
  /** The file ends in a line without its newline: still being written, neither read nor counted as bad. */
  readonly partialTail: boolean
}

const CHUNK = 1 << 20
const NEWLINE = 0x0a
const LONGEST_PREFIX = 96

/**
 * Gives every JSON object of a JSONL file to `onRecord`, in order; `true` stops. Blank lines and CRLF are fine, a line that is not
 * an object is counted. Memory is one chunk and the longest line. `ignore` sees the first bytes of a line and spares its parse.
 */
export async function readJsonLines(
  path: string,
  onRecord: (record: JsonObject) => boolean | void,
  ignore: (prefix: string) => boolean = () => false,
): Promise<LinesRead> {
  let offset = 0
  let badLines = 0
  let carried: Buffer[] = []

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
      const line = carried.length === 0 ? rest : Buffer.concat([...carried, rest])
      carried = []
      start = end + 1
      offset += line.length + 1
      if (take(line)) return { offset, badLines, partialTail: false }
    }
    if (start < chunk.length) carried.push(chunk.subarray(start))
  }
  return { offset, badLines, partialTail: carried.some((part) => part.toString('utf8').trim() !== '') }
}

async function* chunksOf(path: string): AsyncIterable<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK })
  if (!path.endsWith('.zst')) return yield* file
  // The error of either stream reaches the loop that reads the second one.
  yield* pipeline(file, createZstdDecompress(), () => {})
}
