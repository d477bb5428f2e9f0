import type { ChangedFile } from '../ports/repository.ts'
import { gitOrThrow } from './git.ts'
import { parsePatch, type Lines } from './parse-patch.ts'

// Fixed here, so that no user setting changes the output format or runs a program.
const SHAPE = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]
const SUBMODULE = '160000'
const NOTHING: Lines = { added: [], removed: [], cut: false }

/** Changes of the index and the working tree against a commit or tree, with lines if the file is text. */
export async function changedFiles(root: string, against: string): Promise<ChangedFile[]> {
  // Two calls: only the list has exact, unquoted names; only the patch has lines.
  const list = await gitOrThrow(root, ['diff', ...SHAPE, '--raw', '-z', against, '--'])
  const lined = ['--unified=0', '--inter-hunk-context=0']
  const patch = await gitOrThrow(root, ['diff', ...SHAPE, ...lined, against, '--'])
  const lines = parsePatch(patch.stdout, patch.cut)
  return parseList(list.stdout).map(({ isSubmodule, ...file }) => ({
    ...file,
    ...(isSubmodule ? NOTHING : (lines.get(file.path) ?? { ...NOTHING, cut: patch.cut })),
  }))
}

type Listed = Pick<ChangedFile, 'path' | 'status' | 'previousPath'> & { readonly isSubmodule: boolean }

const STATUSES: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' }

/** Reads `:modes hashes status NUL path NUL`; renames have two paths, and a file in conflict is listed twice. */
function parseList(raw: string): Listed[] {
  const fields = raw.split('\0')
  const files = new Map<string, Listed>()
  for (let i = 0; i + 1 < fields.length;) {
    const [before, after, , , letter] = fields[i++]!.slice(1).split(' ')
    const hasTwo = letter?.startsWith('R') || letter?.startsWith('C')
    const first = fields[i++]!
    const path = hasTwo ? fields[i++]! : first
    const status = STATUSES[letter?.[0] ?? ''] ?? 'modified'
    files.set(path, {
      path,
      status,
      previousPath: status === 'renamed' ? first : undefined,
      isSubmodule: before === SUBMODULE || after === SUBMODULE,
    })
  }
  return [...files.values()]
}
