import { AppError } from '../../kernel/domain/errors.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import type { TurnAdditions } from '../turn-content.ts'

const LARGEST = 5 * 1024 * 1024
const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/

/** Magic bytes of each type. */
const BEGINNINGS: readonly (readonly [mediaType: string, bytes: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
]

/**
 * Reads pictures into model format. Only a person at a terminal may name files: a program could read any file this way.
 */
export async function readImages(ctx: Given, given: readonly string[]): Promise<TurnAdditions['images']> {
  return Promise.all(
    given.map(async (image) => {
      const [, mediaType, base64] = DATA_URL.exec(image) ?? []
      if (mediaType !== undefined && base64!.length <= (LARGEST / 3) * 4 + 4) return { mediaType, base64: base64! }
      if (mediaType !== undefined || ctx.origin.surface !== 'cli')
        throw unfit('An image is a data: URL of at most 5 MB')
      const { files, pathNamed } = machineOf(ctx)
      const path = pathNamed(image)
      const bytes = await files.bytes(path, LARGEST)
      if (bytes === undefined) throw new AppError('not_found', notFound('File', path), { hint: 'Check the path.' })
      const kind = BEGINNINGS.find(([, beginning]) => beginning.every((byte, i) => bytes[i] === byte))?.[0]
      if (kind === undefined) throw unfit(`${path} is no image`)
      return { mediaType: kind, base64: Buffer.from(bytes).toString('base64') }
    }),
  )
}

const unfit = (what: string): AppError =>
  new AppError('invalid_input', `${what}.`, { hint: 'Send a PNG, JPEG, GIF or WebP.' })
