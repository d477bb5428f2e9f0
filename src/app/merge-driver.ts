import { runMergeDriver } from '../adapters/store-files/merge-driver.ts'

/** `ken merge-driver %O %A %B %P`: git asks to join two versions of one file; the answer is written over %A. */
export async function mergeForGit(argv: readonly string[]): Promise<number> {
  const [base, ours, theirs, path] = argv
  if (base === undefined || ours === undefined || theirs === undefined || path === undefined) {
    process.stderr.write('ken: merge-driver takes %O %A %B %P from git. `ken init --in-repo` registers it.\n')
    return 2
  }
  const { clean, messages } = await runMergeDriver({ base, ours, theirs, path, worktree: process.cwd() })
  for (const message of messages) process.stderr.write(`ken: ${message}\n`)
  return clean ? 0 : 1
}
