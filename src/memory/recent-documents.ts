import type { Documents } from './ports/documents.ts'

// About eighty sessions of 200 KB.
const MOST_CHARACTERS = 16_000_000

/**
 * The same files, with recently shown texts cached while their stamps stay the same: an agent asks several questions
 * about the same long sessions.
 */
export function rememberTexts(documents: Documents): Documents {
  const known = new Map<string, { readonly text: string; readonly size: number; readonly mtime: number }>()
  let characters = 0

  function forget(path: string): void {
    characters -= known.get(path)?.text.length ?? 0
    known.delete(path)
  }

  return {
    ...documents,
    text(document) {
      const { path } = document
      // Taken before reading: after a change in between, the stamp differs from the remembered one.
      const stamp = documents.stamp(path)
      const found = known.get(path)
      forget(path)
      const isSame = found !== undefined && stamp?.size === found.size && stamp.mtime === found.mtime
      const text = isSame ? found.text : documents.text(document)
      if (text === undefined || stamp === undefined || text.length > MOST_CHARACTERS / 4) return text
      known.set(path, { text, size: stamp.size, mtime: stamp.mtime })
      characters += text.length
      for (const oldest of known.keys()) {
        if (characters <= MOST_CHARACTERS) break
        forget(oldest)
      }
      return text
    },
  }
}
