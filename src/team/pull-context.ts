import { createHash } from 'node:crypto'
import { hostOf } from '../context/domain/context-project/git-place.ts'
import { judgeTree, thrownFault, type TreeFault } from '../context/domain/context-project/judge-tree.ts'
import type { ContextRules } from '../context/domain/context-project/source-rules.ts'
import type { ContextOrigin, ContextOrigins, ContextVersions } from '../context/ports/context-origins.ts'
import type { GitTree, GitTrees, TreeFile } from '../context/ports/git-trees.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Seals } from '../kernel/ports/seals.ts'

export interface PullParts {
  readonly origins: ContextOrigins
  readonly versions: ContextVersions
  readonly trees: GitTrees
  readonly seals: Seals | undefined
  readonly clock: Pick<Clock, 'now'>
  rules(): Promise<ContextRules>
}

/**
 * Updates a project's context to the tip of its branch. An unusable tree is recorded as faulty and changes nothing: the
 * last good version stays. Throws only if the result cannot be recorded, or the pull was stopped.
 */
export async function pullContext(parts: PullParts, project: string, signal?: AbortSignal): Promise<void> {
  const { origins, versions, clock } = parts
  const origin = await origins.find(project)
  if (origin === undefined) return
  const { id, looked, taken } = origin
  const at = (): string => clock.now().toISOString()
  let tree: GitTree | 'same' | undefined
  let faults: readonly TreeFault[]
  let commit: string | undefined
  try {
    tree = await fetched(parts, { project, origin, known: looked?.commit, signal })
    faults = tree === 'same' ? (looked?.faults ?? []) : judge(tree, await parts.rules())
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    faults = thrownFault(thrown)
    // Undefined if the tree could not be read: the next pull reads it again, regardless of its tip.
    commit = commitOf(thrown)
  }
  if (tree === 'same') return origins.looked(project, id, { at: at(), commit: looked?.commit, faults })
  if (tree !== undefined) commit = tree.commit
  if (tree === undefined || faults.length > 0) return origins.looked(project, id, { at: at(), commit, faults })
  const version = versionOf(tree.files)
  if (version === taken?.version && tree.commit === taken.commit)
    return origins.looked(project, id, { at: at(), commit, faults: [] })
  await versions.take(project, id, { version, commit: tree.commit, at: at(), left: tree.left, files: tree.files })
}

function commitOf(thrown: unknown): string | undefined {
  const commit = toAppError(thrown).details?.['commit']
  return typeof commit === 'string' ? commit : undefined
}

function judge({ files }: GitTree, rules: ContextRules): readonly TreeFault[] {
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]))
  return judgeTree((path) => {
    const bytes = byPath.get(path)
    return bytes && Buffer.from(bytes).toString('utf8')
  }, rules)
}

interface ToFetch {
  readonly project: string
  readonly origin: ContextOrigin
  readonly known: string | undefined
  readonly signal: AbortSignal | undefined
}

function fetched({ trees, seals }: PullParts, { project, origin, known, signal }: ToFetch): Promise<GitTree | 'same'> {
  const { credential } = origin
  if (credential !== undefined && seals === undefined)
    throw new AppError('unavailable', 'The repository’s token can’t be decrypted without KEN_SECRET_KEY.', {
      hint: 'The server’s operator must set it.',
    })
  const opened = credential && seals?.open(credential, credentialOf(project, origin.address))
  return trees.fetch(origin, { known, signal, credential: opened })
}

/** Purpose a token is sealed for: pointing a project at another host does not send its token there. */
export const credentialOf = (project: string, address: string): string => `git ${project} ${hostOf(address)}`

export const hookOf = (project: string): string => `git hook ${project}`

/** Hash of paths and bytes: the same files are the same version, regardless of the commit. */
export function versionOf(files: readonly TreeFile[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(`${Buffer.byteLength(path)} ${bytes.length}\n${path}\n`).update(bytes)
  return hash.digest('hex')
}
