import { AppError } from '../../../kernel/domain/errors.ts'
import { testsAmong } from '../../../kernel/domain/tests-among.ts'
import { startGit } from '../../../kernel/system/git.ts'
import { isText, LARGEST_TEXT, pathFilter } from '../../../kernel/system/text-files.ts'
import { protectedReason, TESTS_REASON } from '../../domain/context-project/protected-path.ts'
import { safeSegment } from '../../domain/context-project/safe-segment.ts'
import type { Source, SourceItem } from '../../ports/source.ts'
import { fetchBranch, git } from './clone.ts'

export interface GitSourceParts {
  readonly url: string
  readonly branch: string | undefined
  /** Kept outside the tree, so that the tree never contains a `.git`. */
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

interface BlobReader {
  read(blob: string): Promise<Buffer>
  close(): void
}

interface Waiting {
  resolve(bytes: Buffer): void
  reject(error: Error): void
}

/** One `git cat-file --batch` for all files: one process per file would take minutes for a large repository. */
async function openBlobReader(clone: string): Promise<BlobReader> {
  const child = (await startGit({ bare: clone }, ['cat-file', '--batch']))!
  const waiting: Waiting[] = []
  let rest: Buffer = Buffer.alloc(0)
  const fail = (): void => {
    for (const { reject } of waiting.splice(0))
      reject(new AppError('unavailable', 'git stopped while files were read.', { hint: 'Run it again.' }))
  }
  child.on('error', fail).on('close', fail)
  child.stderr.resume()
  child.stdin.on('error', fail)
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let answer = firstAnswer(rest); answer !== undefined; answer = firstAnswer(rest)) {
      rest = rest.subarray(answer.end)
      const next = waiting.shift()
      if (answer.bytes === undefined)
        next?.reject(new AppError('unavailable', 'git does not have a file that it listed.', { hint: 'Run it again.' }))
      else next?.resolve(answer.bytes)
    }
  })
  return {
    read: (blob) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        if (child.exitCode === null) child.stdin.write(`${blob}\n`)
        else fail()
      }),
    close: () => void child.stdin.end(),
  }
}

/** `<id> blob <size>\n<bytes>\n`, or `<id> missing\n`. */
function firstAnswer(buffer: Buffer): { readonly bytes: Buffer | undefined; readonly end: number } | undefined {
  const newline = buffer.indexOf(0x0a)
  if (newline < 0) return undefined
  const size = / blob (\d+)$/.exec(buffer.toString('latin1', 0, newline))?.[1]
  if (size === undefined) return { bytes: undefined, end: newline + 1 }
  const end = newline + 1 + Number(size) + 1
  return buffer.length < end ? undefined : { bytes: Buffer.from(buffer.subarray(newline + 1, end - 1)), end }
}
