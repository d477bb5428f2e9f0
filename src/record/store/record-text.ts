import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/domain/errors.ts'
import { recordText } from '../domain/record-path.ts'

// No text in a record is this long; reading such a text would fill memory on every run.
export const LARGEST_TEXT = 16 * 1024 * 1024

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Strict: bytes that are not UTF-8 would silently change when the text is written back. */
export function decode(bytes: Uint8Array, path: string): string {
  try {
    return recordText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw new AppError('damaged', `${path} is not UTF-8 text`, { hint: 'Save it as UTF-8.', cause })
  }
}

/** Returns undefined for a file that is not text, for callers that skip it: it is reported elsewhere. */
export function decodeOrSkip(bytes: Uint8Array, path: string): string | undefined {
  try {
    return decode(bytes, path)
  } catch {
    return undefined
  }
}
