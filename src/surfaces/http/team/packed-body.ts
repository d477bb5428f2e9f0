import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { AppError } from '../../../kernel/domain/errors.ts'

/** Total bytes for unpacked bodies; each counts from its first byte until its call is over. */
export interface UnpackedRoom {
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

export function openUnpackedRoom(most: number): UnpackedRoom {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > most) return false
      taken += bytes
      return true
    },
    giveBack: (bytes) => void (taken -= bytes),
  }
}

/**
 * Passes the JSON of a body, possibly gzipped, to `work`. Stops reading at the first byte over `largest`, or if there
 * is no capacity left, whatever the declared length: a small body may unpack to a thousand times its size.
 */
export async function withPackedBody<T>(
  request: Request,
  { largest, room }: { readonly largest: number; readonly room: UnpackedRoom },
  work: (body: unknown) => Promise<T>,
): Promise<T> {
  let size = 0
  try {
    const chunks: Buffer[] = []
    for await (const chunk of unpacked(request)) {
      if (size + chunk.length > largest)
        throw new AppError('invalid_input', `A body may have ${largest / 1024 / 1024} MB.`, {
          details: { status: 413 },
        })
      if (!room.take(chunk.length))
        throw new AppError('unavailable', 'Too many large requests in progress.', { hint: 'Try again shortly.' })
      size += chunk.length
      chunks.push(chunk)
    }
    return await work(parsed(chunks))
  } finally {
    room.giveBack(size)
  }
}

async function* unpacked(request: Request): AsyncGenerator<Buffer> {
  if (request.body === null) return
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw new AppError('invalid_input', 'A body must be plain or gzip-compressed.')
  const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
  if (encoding === 'identity') return yield* body as AsyncIterable<Buffer>
  const gunzip = createGunzip()
  // An aborted request must not wait for the rest of its body.
  body.on('error', (error) => gunzip.destroy(error))
  try {
    yield* body.pipe(gunzip) as AsyncIterable<Buffer>
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_'))
      throw new AppError('invalid_input', 'The body is not valid gzip.')
    throw error
  } finally {
    gunzip.destroy()
    body.destroy()
  }
}

function parsed(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new AppError('invalid_input', 'The body is not JSON.')
  }
}

// Characters; below this gzip hardly helps.
const WORTH_PACKING = 400

/** A JSON response, gzipped if the caller accepts that. */
export async function packedJson(request: Request, value: unknown, status = 200): Promise<Response> {
  const text = JSON.stringify(value)
  const takesGzip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  const headers = { 'content-type': 'application/json', vary: 'accept-encoding' }
  if (!takesGzip || text.length < WORTH_PACKING) return new Response(text, { status, headers })
  return new Response(await promisify(gzip)(text), { status, headers: { ...headers, 'content-encoding': 'gzip' } })
}
