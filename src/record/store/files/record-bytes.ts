import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { isAbsent } from './record-failure.ts'
import type { RecordFolder } from './record-folder.ts'
import { PACK, walkPack } from './snapshot-pack.ts'
import type { FileShelf } from './snapshot-store.ts'

export interface BytesOf {
  readonly folder: RecordFolder
  readonly shelf: FileShelf
  /** Files next to the record with data derived from it. */
  readonly beside: readonly string[]
  /** The folder with this machine's knowledge of the record. */
  readonly state: string
}

/** Every file kept for a record as text, and the unpacked snapshots. Follows no links. */
export async function* bytesOf({
  folder,
  shelf,
  beside,
  state,
}: BytesOf): AsyncGenerator<{ path: string; text: string }> {
  for await (const path of filesBelow(folder.root))
    yield { path: relative(folder.root, path).replaceAll(sep, '/'), text: await textOf(path) }
  for await (const path of filesBelow(state)) yield { path: basename(path), text: await textOf(path) }
  for (const path of beside) yield { path: basename(path), text: await textOf(path) }
  const seen = new Set<string>()
  for (const { entry, texts } of walkPack((await shelf.pack()).entries)) {
    for (const [name, text] of texts ?? []) {
      if (!seen.has(text)) yield { path: `${PACK} v${entry.version} ${name}`, text }
      seen.add(text)
    }
  }
}

async function* filesBelow(root: string): AsyncGenerator<string> {
  const found = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsent(error)) return []
    throw error
  })
  for (const entry of found) {
    const path = join(root, entry.name)
    if (entry.isDirectory() && entry.name !== '.git') yield* filesBelow(path)
    if (entry.isFile()) yield path
  }
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return ''
    throw error
  })
}
