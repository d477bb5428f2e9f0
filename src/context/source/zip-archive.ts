import { open, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { AppError } from '../../kernel/domain/errors.ts'

export interface ZipEntry {
  readonly path: string
  readonly size: number
  /** CRC of the text according to the archive. */
  readonly checksum: number
}

export interface ZipArchive {
  readonly entries: readonly ZipEntry[]
  /** Throws `damaged` for an entry that does not match the archive's directory. */
  read(path: string): Promise<Buffer>
  close(): Promise<void>
}

export interface ZipBounds {
  readonly mostEntries: number
  /** Maximum unpacked bytes of one entry and of all together. */
  readonly largestEntry: number
  readonly largestTotal: number
}

interface Place extends ZipEntry {
  readonly method: number
  readonly packed: number
  readonly offset: number
}

// Text compresses to a tenth, rarely to a fiftieth; the limit of deflate is a thousandth.
const HIGHEST_RATIO = 250
const SMALL = 1024 * 1024
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/**
 * Zip file, read in place: nothing is ever unpacked to disk, so a path in it is harmless. Entries that are encrypted,
 * folders, or compressed with another method than deflate are not listed.
 */
export async function openZipArchive(path: string, bounds: ZipBounds): Promise<ZipArchive> {
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) throw new AppError('unavailable', `${path} cannot be read.`, { hint: 'Check the path.' })
  try {
    const places = await readDirectory(file, path, bounds)
    return {
      entries: [...places.values()],
      read: (name) => readEntry(file, path, places.get(name)),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

// Longest comment, and the record before it.
const END_LENGTH = 22 + 0xffff

async function readDirectory(
  file: FileHandle,
  path: string,
  { mostEntries, largestEntry, largestTotal }: ZipBounds,
): Promise<ReadonlyMap<string, Place>> {
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - END_LENGTH), Math.min(size, END_LENGTH))
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > tail.length) throw damaged(path, 'it is no zip file')
  const { count, length, offset } = await directoryPlace(file, tail, end)
  if (count > mostEntries) throw damaged(path, `it holds more than ${mostEntries.toLocaleString('en-US')} files`)
  if (length > mostEntries * 512 || offset + length > size) throw damaged(path, 'its directory is cut off')
  const directory = await readAt(file, offset, length)
  const places = new Map<string, Place>()
  let total = 0
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50;) {
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength!)
    const place = {
      path: name,
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    }
    const isReadable = (directory.readUInt16LE(at + 8) & 1) === 0 && (place.method === 0 || place.method === 8)
    at += 46 + nameLength! + extra! + comment!
    // 0xffffffff means a size of 4 GB or more, which exceeds every bound.
    if (name.endsWith('/') || !isReadable || place.size > largestEntry || place.offset > size) continue
    if (place.size > SMALL && place.size > place.packed * HIGHEST_RATIO)
      throw damaged(path, 'it unpacks to far more than any text')
    total += place.size
    if (total > largestTotal) throw damaged(path, `it unpacks to more than ${Math.round(largestTotal / 1024 ** 2)} MB`)
    places.set(name, place)
  }
  return places
}

/** Location of the directory, from the end record or from the zip64 record that large exports have before it. */
async function directoryPlace(file: FileHandle, tail: Buffer, end: number) {
  const [count, length, offset] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ]
  const locator = end - 20
  if ((count !== 0xffff && offset !== 0xffffffff) || locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50)
    return { count, length, offset }
  const record = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56)
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) return { count, length, offset }
  const [wideCount, wideLength, wideOffset] = [32, 40, 48].map((at) => Number(record.readBigUInt64LE(at)))
  return { count: wideCount!, length: wideLength!, offset: wideOffset! }
}

async function readEntry(file: FileHandle, path: string, place: Place | undefined): Promise<Buffer> {
  if (place === undefined) throw damaged(path, 'a file is missing in it')
  const header = await readAt(file, place.offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw damaged(path, 'a file in it is cut off')
  const start = place.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  // The size in the directory is the limit, whatever size the compressed bytes would expand to.
  const packed = await readAt(file, start, Math.min(place.packed, place.size + SMALL))
  const text =
    place.method === 0
      ? packed.subarray(0, place.size)
      : await inflate(packed, { maxOutputLength: place.size + 1 }).catch(() => undefined)
  if (text === undefined || text.length !== place.size || crc32(text) !== place.checksum)
    throw damaged(path, 'a file in it is not what the archive says')
  return text
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (!Number.isSafeInteger(position) || position < 0) return Buffer.alloc(0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const damaged = (path: string, what: string): AppError =>
  new AppError('damaged', `${path} is not read: ${what}.`, {
    hint: 'Export it again, or unpack it and name the folder.',
  })
