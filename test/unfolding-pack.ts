import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

const PIECE = 8 * 1024 * 1024
const [COMMIT, TREE, BLOB, DELTA] = [1, 2, 3, 7]

/** A pack of some kilobytes that expands to a file of `megabytes` MB by repeating one piece. */
export function unfoldingPack(megabytes: number): { readonly pack: Buffer; readonly commit: string } {
  const times = (megabytes * 1024 ** 2) / PIECE
  const [piece, config] = [Buffer.alloc(PIECE), Buffer.from('name: shop\n')]
  const large = createHash('sha1').update(`blob ${PIECE * times}\0`)
  for (let at = 0; at < times; at++) large.update(piece)
  const base = idOf('blob', piece)
  const tree = Buffer.concat([
    entry('base', base),
    entry('ken.yaml', idOf('blob', config)),
    entry('large', large.digest()),
  ])
  const by = 'Ada <ada@example.com> 0 +0000'
  const commit = Buffer.from(`tree ${idOf('tree', tree).toString('hex')}\nauthor ${by}\ncommitter ${by}\n\nA file\n`)
  // Each pair means: copy from the start of the base, 0x80 times 65,536 bytes.
  const copies = Buffer.alloc(2 * times, Buffer.of(0xc0, 0x80))
  const delta = Buffer.concat([sizeOf(PIECE), sizeOf(PIECE * times), copies])
  const objects = [
    object(COMMIT, commit),
    object(TREE, tree),
    object(BLOB, config),
    object(BLOB, piece),
    object(DELTA, delta, base),
  ]
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x05', 'latin1')
  const body = Buffer.concat([head, ...objects])
  const sum = createHash('sha1').update(body).digest()
  return { pack: Buffer.concat([body, sum]), commit: idOf('commit', commit).toString('hex') }
}

const idOf = (kind: string, bytes: Buffer): Buffer =>
  createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest()

const entry = (name: string, id: Buffer): Buffer => Buffer.concat([Buffer.from(`100644 ${name}\0`), id])

/** Seven bits per byte, lowest first; the highest bit means that more bytes follow. */
function sizeOf(size: number): Buffer {
  const bytes = []
  for (let left = size; ; left = Math.floor(left / 128)) {
    bytes.push(left >= 128 ? (left % 128) | 128 : left)
    if (left < 128) return Buffer.from(bytes)
  }
}

/** The first byte of an object has its kind and four bits of its size. */
function object(kind: number, bytes: Buffer, base: Buffer = Buffer.of()): Buffer {
  const [low, rest] = [bytes.length % 16, Math.floor(bytes.length / 16)]
  const head =
    rest === 0 ? Buffer.of((kind << 4) | low) : Buffer.concat([Buffer.of(128 | (kind << 4) | low), sizeOf(rest)])
  return Buffer.concat([head, base, deflateSync(bytes)])
}
