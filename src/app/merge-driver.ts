import { runMergeDriver } from '../record/store/files/merge-driver.ts'
import { writeText } from '../surfaces/cli/write-text.ts'

/** `ken merge-driver %O %A %B %P`: merges two versions of one file for git; the result is written to %A. */
export async function mergeForGit(argv: readonly string[]): Promise<number> {
  const [base, ours, theirs, path] = argv
  if (base === undefined || ours === undefined || theirs === undefined || path === undefined) {
    writeText(process.stderr, 'ken: merge-driver takes %O %A %B %P from git. `ken init --in-repo` registers it.')
    return 2
  }
  const { clean, messages } = await runMergeDriver({ base, ours, theirs, path, worktree: process.cwd() })
  for (const message of messages) writeText(process.stderr, `ken: ${message}`)
  return clean ? 0 : 1
}
