import type { ExportedFile } from '../../team/ports/data-export.ts'

const BLOCK = 512
const LONGEST_PATH = 100

/** A streamed archive in POSIX (pax) format: only part of one file is in memory at a time. */
export async function* tarOf(
  files: AsyncIterable<ExportedFile> | Iterable<ExportedFile>,
  { modified }: { readonly modified: Date },
): AsyncGenerator<Uint8Array> {
  const seconds = Math.floor(modified.getTime() / 1_000)
  for await (const { path, size, bytes } of files) {
    if (!isPlain(path)) {
      const record = pathRecord(path)
      yield header({ path: 'pax', size: record.length, seconds, type: 'x' })
      yield padded(record)
    }
    yield header({ path: isPlain(path) ? path : 'long', size, seconds, type: '0' })
    let written = 0
    for await (const part of bytes) {
      written += part.length
      yield part
    }
    if (written !== size) throw new Error(`${path} has ${written} bytes and not ${size}`)
    yield new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)
  }
  yield new Uint8Array(2 * BLOCK)
}

const encoder = new TextEncoder()

const isPlain = (path: string): boolean => path.length <= LONGEST_PATH && /^[\x20-\x7e]+$/.test(path)

function header(file: { path: string; size: number; seconds: number; type: '0' | 'x' }): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const put = (text: string, at: number): void => block.set(encoder.encode(text), at)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  put(file.path, 0)
  put(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100)
  put(`${octal(file.size, 11)}\0${octal(file.seconds, 11)}\0`, 124)
  put(`        ${file.type}`, 148)
  put('ustar\x0000', 257)
  put(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  )
  return block
}

/** `<length> path=<path>\n`; the length includes its own digits. */
function pathRecord(path: string): Uint8Array {
  const rest = encoder.encode(` path=${path}\n`)
  let length = rest.length
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return encoder.encode(`${length} path=${path}\n`)
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK)
  whole.set(bytes)
  return whole
}
