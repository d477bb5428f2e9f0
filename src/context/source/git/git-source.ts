import { testsAmong } from '../../../kernel/domain/tests-among.ts'
import { isText, LARGEST_TEXT, pathFilter } from '../../../kernel/system/text-files.ts'
import { protectedReason, TESTS_REASON } from '../../domain/context-project/protected-path.ts'
import { safeSegment } from '../../domain/context-project/safe-segment.ts'
import type { Source, SourceItem } from '../../ports/source.ts'
import { openBlobReader, type BlobReader } from './blob-reader.ts'
import { fetchBranch, git } from './clone.ts'

export interface GitSourceParts {
  readonly url: string
  readonly branch: string | undefined
  /** Kept outside the tree, so that no `.git` gets into it. */
  readonly clone: string
  /** Maximum bytes of a fetch; 2 GB by default. */
  readonly largest?: number
  readonly target: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/**
 * Text files of a git repository at the tip of a branch, read from a shallow bare clone. Links and submodules are left
 * out.
 */
export function openGitSource(parts: GitSourceParts): Source {
  const isTaken = pathFilter(parts)
  let reader: Promise<BlobReader> | undefined
  return {
    async list() {
      await fetchBranch(parts)
      const items: SourceItem[] = []
      const skipped: { title: string; reason: string }[] = []
      const blobs = await blobsOf(parts.clone)
      const isTest = testsAmong(blobs.map(({ path }) => path))
      for (const { path, blob, size } of blobs) {
        if (!isTaken(path)) continue
        const reason =
          protectedReason(path) ??
          (isTest(path) ? TESTS_REASON : undefined) ??
          (size > LARGEST_TEXT ? 'it is larger than 1 MB' : undefined)
        if (reason !== undefined) skipped.push({ title: path, reason })
        else
          items.push({
            id: path,
            title: path,
            path: `${parts.target}/${path.split('/').map(safeSegment).join('/')}`,
            fingerprint: blob,
            maxAgeDays: undefined,
          })
      }
      return { items, skipped }
    },
    async fetch(item) {
      reader ??= openBlobReader(parts.clone)
      const bytes = await (await reader).read(item.fingerprint)
      const documents = isText(bytes) ? [{ name: '', text: bytes.toString('utf8'), framed: false }] : []
      return { documents, table: undefined }
    },
    close: async () => (await reader)?.close(),
  }
}

interface Blob {
  readonly path: string
  readonly blob: string
  readonly size: number
}

/**
 * Parses `100644 blob <id> <size>\t<path>`, terminated by NUL. Modes 120000 (links) and 160000 (submodules) are not
 * files.
 */
async function blobsOf(clone: string): Promise<readonly Blob[]> {
  const listed = await git(clone, ['ls-tree', '-r', '-l', '-z', 'FETCH_HEAD'])
  return listed.split('\0').flatMap((line) => {
    const [, blob, size, path] = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? []
    return path === undefined ? [] : [{ path, blob: blob!, size: Number(size) }]
  })
}
