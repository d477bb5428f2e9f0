// The merge driver that git runs in these tests: `node driver.ts %O %A %B %P`.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runMergeDriver } = await import('../../src/record/store/files/merge-driver.ts')

const [base, ours, theirs, path] = process.argv.slice(2) as [string, string, string, string]
const { clean, messages } = await runMergeDriver({ base, ours, theirs, path, worktree: process.cwd() })
for (const message of messages) process.stderr.write(`${message}\n`)
process.exitCode = clean ? 0 : 1
