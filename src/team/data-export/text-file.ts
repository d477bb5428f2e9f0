import type { ExportedFile } from '../ports/data-export.ts'

/** A whole text as a file. */
export function textFile(path: string, text: string): ExportedFile {
  const bytes = Buffer.from(text)
  return { path, size: bytes.length, bytes: [bytes] }
}
