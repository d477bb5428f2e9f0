import { dirname } from 'node:path'
import { git } from './git.ts'

/** Whether git tracks a file, or will with the next commit: it is in a repository and not ignored. */
export async function isKept(path: string): Promise<boolean> {
  // check-ignore is the only command that refuses literal pathspecs; it treats its arguments as paths anyway.
  const answer = await git(dirname(path), ['--no-literal-pathspecs', 'check-ignore', '-q', '--', path])
  return answer?.code === NOT_IGNORED
}

const NOT_IGNORED = 1
