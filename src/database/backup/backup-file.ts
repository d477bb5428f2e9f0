import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { notFound } from '../../kernel/domain/phrases.ts'

/*
 * A first line, the rows of each table as gzip, the manifest as JSON, and a last line that says where the manifest
 * begins and what its hash is. The manifest stands at the end because hashes and counts are known only there; with it
 * every byte of the file is accounted for.
 */
const FIRST = Buffer.from('ken server backup 1\n')
const LAST = /^\n(\d{16}) ([0-9a-f]{64})\n$/
const LAST_SIZE = 83
const LARGEST_MANIFEST = 16 * 1024 * 1024
// Bytes read, and written into a table, at once; a row may be longer.
const AT_ONCE = 512 * 1024
const LONGEST_ROW = 256 * 1024 * 1024

export interface Section {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** Writes a backup from the start of the file, overwriting its content. */
export async function beginBackup(file: FileHandle) {
  await file.truncate(0)
  let at = 0
  const put = async (bytes: Uint8Array): Promise<void> => {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at)
      done += bytesWritten
      at += bytesWritten
    }
  }
  await put(FIRST)
  return {
    async section(batches: AsyncIterable<readonly string[]>): Promise<Section> {
      const hash = createHash('sha256')
      const from = at
      let rows = 0
      const lines = async function* () {
        for await (const batch of batches) {
          rows += batch.length
          yield `${batch.join('\n')}\n`
        }
      }
      await pipeline(lines, createGzip(), async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          hash.update(chunk)
          await put(chunk)
        }
      })
      return { rows, bytes: at - from, sha256: hash.digest('hex') }
    },
    async end(manifest: Manifest): Promise<void> {
      const text = Buffer.from(JSON.stringify(manifest))
      const begin = String(at).padStart(16, '0')
      await put(text)
      await put(Buffer.from(`\n${begin} ${sha256Of(text)}\n`))
      await file.sync()
    },
  }
}

export interface BackupFile {
  readonly manifest: Manifest
  /** Lines of one table, in batches as read. */
  rows(table: string): AsyncGenerator<readonly string[]>
  close(): Promise<void>
}

/** Opens a backup and verifies every byte; throws `damaged` if one differs. */
export async function openBackup(path: string): Promise<BackupFile> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new AppError('not_found', notFound('File', path)) : error
  })
  try {
    const { manifest, begin } = await readManifest(file)
    const places = new Map<string, { readonly start: number; readonly end: number }>()
    let at = FIRST.length
    for (const { name, bytes } of manifest.tables) places.set(name, { start: at, end: (at += bytes) })
    if (at !== begin || places.size !== manifest.tables.length) throw damaged('its parts do not fill it')
    for (const { name, sha256 } of manifest.tables)
      if ((await hashOf(file, places.get(name)!)) !== sha256) throw damaged(`the rows of ${name} changed`)
    return { manifest, rows: (table) => linesOf(file, places.get(table)!), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readManifest(file: FileHandle): Promise<{ readonly manifest: Manifest; readonly begin: number }> {
  const { size } = await file.stat()
  const first = await read(file, 0, Math.min(size, FIRST.length))
  if (!first.equals(FIRST))
    throw new AppError('invalid_input', 'This is not a backup that `ken server backup` wrote', {
      hint: 'Use a file written by `ken server backup`.',
    })
  const [, digits, hash] = LAST.exec((await read(file, Math.max(0, size - LAST_SIZE), LAST_SIZE)).toString()) ?? []
  const begin = Number(digits)
  const length = size - LAST_SIZE - begin
  if (digits === undefined || begin < FIRST.length || length <= 0 || length > LARGEST_MANIFEST)
    throw damaged('its end is missing')
  const text = await read(file, begin, length)
  if (sha256Of(text) !== hash) throw damaged('its manifest changed')
  const manifest = parsed(text.toString())
  if (manifest === undefined) throw damaged('its manifest is of another kind')
  return { manifest, begin }
}

function parsed(text: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let have = 0
  while (have < length) {
    const { bytesRead } = await file.read(bytes, have, length - have, at + have)
    if (bytesRead === 0) break
    have += bytesRead
  }
  return bytes.subarray(0, have)
}

type Place = { readonly start: number; readonly end: number }

async function* bytesOf(file: FileHandle, { start, end }: Place): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const bytes = await read(file, at, Math.min(AT_ONCE, end - at))
    if (bytes.length === 0) throw damaged('it ends too early')
    at += bytes.length
    yield bytes
  }
}

async function hashOf(file: FileHandle, place: Place): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of bytesOf(file, place)) hash.update(bytes)
  return hash.digest('hex')
}

async function* linesOf(file: FileHandle, place: Place): AsyncGenerator<readonly string[]> {
  const rows = createGunzip({ chunkSize: AT_ONCE })
  const fed = pipeline(bytesOf(file, place), rows).catch(() => undefined)
  let open: Buffer[] = []
  let size = 0
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(0x0a)
    open.push(end < 0 ? chunk : chunk.subarray(0, end))
    size += chunk.length
    if (size > LONGEST_ROW) throw damaged('a row is too long')
    if (end < 0) continue
    yield Buffer.concat(open).toString().split('\n')
    const left = chunk.subarray(end + 1)
    open = [left]
    size = left.length
  }
  await fed
  if (size > 0) throw damaged('a row is not whole')
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const damaged = (why: string): AppError =>
  new AppError('damaged', `The backup is damaged: ${why}`, {
    hint: 'Use another copy. Nothing was restored.',
  })

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().nonnegative()

/** Contents of a backup. Tables follow one another in the file, in this order. */
const manifestSchema = z.strictObject({
  format: z.literal(1),
  ken: z.string(),
  postgres: z.string(),
  at: z.iso.datetime(),
  /** Migrations that create the tables. */
  migrations: z.array(z.strictObject({ number: z.int().positive(), name: z.string(), hash: sha256 })).min(1),
  /** Whether vectors were also stored in the server's vector type. */
  vectors: z.boolean(),
  tables: z
    .array(
      z.strictObject({
        name: z.string(),
        columns: z.array(z.strictObject({ name: z.string(), type: z.string() })).min(1),
        rows: count,
        bytes: count,
        sha256,
      }),
    )
    .min(1),
  sequences: z.array(z.strictObject({ name: z.string(), last: z.string().regex(/^-?\d+$/), called: z.boolean() })),
})

export type Manifest = z.infer<typeof manifestSchema>
