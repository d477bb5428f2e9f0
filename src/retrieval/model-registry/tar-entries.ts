/** Reads the files of a tar stream that `wants` names; skips the others. */
export async function* tarEntries(
  stream: AsyncIterable<Uint8Array>,
  wants: (path: string) => boolean,
): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  const source = openReader(stream)
  for (;;) {
    const header = await source.read(BLOCK)
    if (header === undefined || header.every((byte) => byte === 0)) return
    const size = parseInt(textAt(header, 124, 12), 8)
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError('a tar header is damaged')
    const path = [textAt(header, 345, 155), textAt(header, 0, 100)].filter((part) => part !== '').join('/')
    const padding = (BLOCK - (size % BLOCK)) % BLOCK
    if (!isPlainFile(header) || !wants(path)) {
      await source.skip(size + padding)
      continue
    }
    if (size > LARGEST_FILE) throw new RangeError('a file in the archive is larger than any model')
    const bytes = await source.read(size)
    if (bytes === undefined) throw new RangeError('the archive ends inside a file')
    yield { path, bytes }
    await source.skip(padding)
  }
}

const BLOCK = 512
const LARGEST_FILE = 2 ** 30

const isPlainFile = (header: Uint8Array): boolean => header[156] === 0x30 || header[156] === 0
const textAt = (header: Uint8Array, start: number, length: number): string =>
  Buffer.from(header.subarray(start, start + length))
    .toString('utf8')
    .split('\0')[0]!
    .trim()

function openReader(stream: AsyncIterable<Uint8Array>) {
  const chunks = stream[Symbol.asyncIterator]()
  let rest = new Uint8Array() as Uint8Array
  const fill = async (): Promise<boolean> => {
    const next = await chunks.next()
    if (!next.done) rest = next.value
    return !next.done
  }
  /** Undefined if the stream ends first. */
  async function read(length: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(length)
    for (let at = 0; at < length;) {
      if (rest.length === 0 && !(await fill())) return undefined
      const part = rest.subarray(0, length - at)
      bytes.set(part, at)
      at += part.length
      rest = rest.subarray(part.length)
    }
    return bytes
  }
  async function skip(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      if (rest.length === 0 && !(await fill())) return
      const step = Math.min(left, rest.length)
      rest = rest.subarray(step)
      left -= step
    }
  }
  return { read, skip }
}
