import { dirname } from 'node:path'
import { git } from './git.ts'

/** Whether git keeps a file, or will with the next commit: it lies in a repository and nothing there ignores it. */
export async function isKept(path: string): Promise<boolean> {
  // The one command that refuses literal paths; it takes a path for a path anyway.
  const answer = await git(dirname(path), ['--no-literal-pathspecs', 'check-ignore', '-q', '--', path])
  return answer?.code === NOT_IGNORED
}

const NOT_IGNORED = 1
