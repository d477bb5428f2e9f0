import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { decisionNumber } from '../../../core/decision/decision-id.ts'
import { AppError } from '../../../core/errors.ts'
import type { JournalEvent } from '../../../core/journal/event.ts'
import { joinedPaths, mendMerged } from '../../../core/record/merge-repair.ts'
import type { Store } from '../../../ports/store.ts'
import { journalEnd } from './journal-file.ts'
import type { RecordFolder } from './record-folder.ts'

/**
 * Settles a record that git has joined. Fails quietly: one that cannot be written now is still worth reading, and
 * doctor tells the rest.
 */
export async function settleIfMerged(store: Store, folder: RecordFolder): Promise<void> {
  try {
    const { last } = await journalEnd(folder)
    if ((await needsSettling(store, await folder.names('decisions', '.md'), last)) && !isGitBusy(folder.root))
      await settleMerge(store)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/** Settles what a git merge left in a record: numbers used twice, and joined texts that no event vouches for yet. */
async function settleMerge(store: Store): Promise<void> {
  await store.commit({ surface: 'merge' }, async (draft) => {
    await mendMerged(await store.list(), await store.journal(), draft)
  })
}

/**
 * True when a merge left two file names with one number, or texts that both branches changed and nothing vouches for
 * yet.
 */
async function needsSettling(store: Store, names: readonly string[], last: JournalEvent | undefined): Promise<boolean> {
  const numbers = names.flatMap((name) => decisionNumber(name) ?? [])
  if (new Set(numbers).size < numbers.length) return true
  return last?.operation === 'join' && joinedPaths(await store.journal()).length > 0
}

const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

/** While git is half way through, changing files would get in its way. */
function isGitBusy(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git')
    if (existsSync(git)) return UNDER_WAY.some((name) => existsSync(join(gitDirectory(git), name)))
    if (dirname(at) === at) return false
  }
}

/** In a linked worktree `.git` is a file that says where the real folder is. */
function gitDirectory(git: string): string {
  if (statSync(git).isDirectory()) return git
  return resolve(
    dirname(git),
    readFileSync(git, 'utf8')
      .replace(/^gitdir: /, '')
      .trim(),
  )
}
