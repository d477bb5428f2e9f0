import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { gitDirectoryAround } from '../../kernel/system/git-directory.ts'
import { runGit } from '../../kernel/system/git.ts'
import { listFolder } from '../../kernel/system/list-folder.ts'

/**
 * Why a log in a project's folder does not belong to this person: git tracks it, so it came with a clone, or it is a
 * link. Undefined for a log that was written here; `absent` if there is none.
 */
export async function foreignFile(path: string, { mustBeInGit = false } = {}): Promise<string | undefined> {
  const folder = dirname(path)
  const [file, holder] = await Promise.all([lookAt(path), lookAt(folder)])
  // On a case-insensitive disk another name opens the same file, and git tracks that name.
  const isThere = file !== undefined && (await listFolder(folder)).includes(basename(path))
  if (!isThere) return 'absent'
  if (holder?.isSymbolicLink() || !file.isFile()) return 'It is no plain file.'
  if (gitDirectoryAround(folder) === undefined)
    return mustBeInGit ? 'It lies outside of git, which alone could tell where it comes from.' : undefined
  const code = await exitOfGit(folder, ['ls-files', '--error-unmatch', '--', basename(path)])
  if (code === UNTRACKED) return undefined
  return code === 0
    ? 'Git tracks it: it came with the repository.'
    : 'Git could not tell whether it came with the repository.'
}

const UNTRACKED = 1

const lookAt = (path: string) => lstat(path).catch(() => undefined)

/** Exit code of git; undefined if git did not run. */
const exitOfGit = async (folder: string, words: readonly string[]): Promise<number | undefined> =>
  (await runGit({ around: folder }, words).catch(() => undefined))?.code
