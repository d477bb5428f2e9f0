import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { READ_PLAIN } from '../adapters/plain-file.ts'
import type { CodeOutline } from '../core/chunking/code-outline.ts'
import { prepareDocument, type DocumentPlace, type PreparedDocument } from '../core/chunking/prepare-document.ts'
import { openPacker, type PackedPostings } from '../core/ranking/packed-postings.ts'
import { redactSecrets } from '../core/secrets/redact.ts'
import type { IndexBatch } from '../ports/search-index.ts'

/** A file that may have changed. */
export interface Candidate {
  readonly place: Omit<DocumentPlace, 'hash'>
  /** What the index has of it. */
  readonly knownHash: string | undefined
}

export interface PreparedBatch extends Omit<IndexBatch, 'removed'> {
  readonly postings: PackedPostings
  readonly skipped: readonly { readonly path: string; readonly reason: string; readonly collection: string }[]
}

/** Larger files are logs and dumps. */
export const LARGEST_FILE = 8 * 1024 * 1024

type Outline = (text: string, path: string) => CodeOutline | undefined

const packer = openPacker()

/** Reads, cuts and analyses files. Runs in a worker when there are many of them. */
export function prepareBatch(candidates: readonly Candidate[], outlineOf: Outline = () => undefined): PreparedBatch {
  packer.begin()
  const documents: PreparedDocument[] = []
  const restamped: IndexBatch['restamped'][number][] = []
  const skipped: PreparedBatch['skipped'][number][] = []
  for (const { place, knownHash } of candidates) {
    const read = readText(place)
    if ('reason' in read) {
      if (read.reason !== '') skipped.push({ path: place.path, collection: place.collection, reason: read.reason })
    } else if (read.hash === knownHash) {
      restamped.push({ collection: place.collection, path: place.path, size: place.size, mtime: place.mtime })
    } else {
      documents.push(
        prepareDocument({ ...place, hash: read.hash }, read.text, {
          take: packer.add,
          outline: outlineOf(read.text, place.path),
        }),
      )
    }
  }
  return {
    documents,
    postings: packer.pack(),
    restamped,
    skipped,
  }
}

/**
 * Redacted, so that no secret becomes a word of the index. An empty reason: the file went away meanwhile, which the
 * next update tells.
 */
function readText({ path, size }: { path: string; size: number }): { text: string; hash: string } | { reason: string } {
  if (size > LARGEST_FILE) return { reason: `larger than ${LARGEST_FILE / 1024 / 1024} MB` }
  try {
    const bytes = readFileSync(path, { flag: READ_PLAIN })
    if (bytes.subarray(0, 8192).includes(0)) return { reason: 'not text' }
    return { text: redactSecrets(bytes.toString('utf8')).text, hash: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      reason:
        code === 'ENOENT' ? '' : code === 'EACCES' || code === 'EPERM' ? 'may not be read' : `cannot be read (${code})`,
    }
  }
}
