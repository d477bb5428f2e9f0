import { isListedFile } from '../../domain/record-path.ts'
import { decodeOrSkip, sha256 } from '../record-text.ts'
import { allPastStates } from './git-copies.ts'
import { readJournal } from './journal-file.ts'
import type { KeptParts } from './kept-texts.ts'
import { plainNames, readPlainSnapshot } from './plain-snapshot.ts'
import { walkPack } from './snapshot-pack.ts'

/** Past texts of files, each by its exact hash: from the current files, then snapshots, then git. */
export async function pastTexts(
  parts: KeptParts,
  wanted: ReadonlyMap<string, string>,
  near = Infinity,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const missing = new Map(wanted)
  const take = (path: string, text: string | undefined, bytes?: Uint8Array): void => {
    const hash = missing.get(path)
    if (text === undefined || hash === undefined || !hasHash(hash, text, bytes)) return
    found.set(path, text)
    missing.delete(path)
  }

  const present = (await parts.folder.list()).filter((path) => missing.has(path))
  for await (const [path, bytes] of parts.folder.readListed(present)) take(path, decodeOrSkip(bytes, path), bytes)
  if (missing.size > 0) await lookInSnapshots(parts, { missing, near }, take)
  if (missing.size > 0 && parts.inRepository) {
    const allowed = await askableOfGit(parts, missing)
    if (allowed.size > 0)
      for await (const { path, bytes } of allPastStates(parts.folder.root, allowed))
        take(path, decodeOrSkip(bytes, path), bytes)
  }
  return found
}

// Adopted files are hashed by their bytes, in which lines may end with \r\n; texts are kept with \n.
const hasHash = (hash: string, text: string, bytes: Uint8Array | undefined): boolean =>
  sha256(text) === hash ||
  (bytes === undefined ? sha256(text.replaceAll('\n', '\r\n')) === hash : sha256(bytes) === hash)

async function lookInSnapshots(
  { folder, shelf }: KeptParts,
  { missing, near }: { missing: ReadonlyMap<string, string>; near: number },
  take: (path: string, text: string) => void,
): Promise<void> {
  // An unchanged file has the same text in every snapshot and is hashed once.
  const seen = new Map<string, string>()
  const look = (textOf: (path: string) => string | undefined): void => {
    for (const path of missing.keys()) {
      const text = textOf(path)
      if (text === undefined || seen.get(path) === text) continue
      seen.set(path, text)
      take(path, text)
    }
  }
  const { entries } = await shelf.pack()
  // Nearly every change is captured: the last snapshot before that moment has all but a few texts.
  const until = entries.slice(0, entries.findLastIndex(({ timestamp }) => Date.parse(timestamp) <= near) + 1)
  const whole = until.findLastIndex(({ base }) => base === null)
  for (const { entry, texts } of whole < 0 ? [] : walkPack(until.slice(whole)))
    if (entry === until.at(-1) && texts !== undefined) look((path) => texts.get(path))
  for (const { texts } of missing.size === 0 ? [] : walkPack(entries)) {
    if (texts !== undefined) look((path) => texts.get(path))
    if (missing.size === 0) return
  }
  for (const { version } of missing.size === 0 ? [] : await plainNames(folder)) {
    const files = (await readPlainSnapshot(folder, version))?.files
    if (files !== undefined) look((path) => (Object.hasOwn(files, path) ? files[path] : undefined))
  }
}

/**
 * A redaction rewrites snapshots, but not git's history: in git, only hashes that the journal contains again since then
 * are looked up.
 */
async function askableOfGit({ folder }: KeptParts, missing: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const { events } = await readJournal(folder)
  const redacted = events.findLastIndex(({ operation }) => operation === 'redact')
  const since = events.slice(Math.max(redacted, 0)).flatMap(({ files }) => Object.entries(files))
  const said = new Set(since.map(([path, hash]) => `${hash} ${path}`))
  return new Set(
    [...missing].flatMap(([path, hash]) =>
      isListedFile(path) && (redacted < 0 || said.has(`${hash} ${path}`)) ? [path] : [],
    ),
  )
}
