import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decisionNumber } from '../../../core/decision/decision-id.ts'
import { AppError } from '../../../core/errors.ts'
import { joinedPaths } from '../../../core/record/merge-repair.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Store } from '../../../ports/store.ts'
import { gitDirectoryAround } from '../../git-directory.ts'
import { isJoined } from './journal-ends.ts'
import { journalEnd } from './journal-file.ts'
import type { RecordLock } from './lock.ts'
import type { RecordFolder } from './record-folder.ts'
import type { Scratch } from './scratch.ts'

export interface SettleParts {
  readonly store: Store
  readonly folder: RecordFolder
  readonly scratch: Scratch
  readonly lock: RecordLock
  readonly lockTimeoutMs: number
  readonly clock: Clock
  /** Only say that there is something to settle: because there is no time now, or because nobody here trusts the record. */
  readonly later: 'no' | 'busy' | 'untrusted'
}

const WAITS =
  'A merge of the record is not settled yet: numbers of decisions may change with the next command or tool call.'

const UNTRUSTED =
  'A merge of the record is not settled, because you have not trusted the record: a number may name two decisions. Read it with `ken list`, then run `ken trust`; the next command settles the merge.'

/**
 * Settles a record that git has joined, with Ken's merge driver or without, and answers what it changed. Fails quietly:
 * one that cannot be written now is still worth reading, and doctor tells the rest.
 */
export async function settleIfMerged(parts: SettleParts): Promise<readonly string[]> {
  const { store, folder, scratch } = parts
  try {
    const joined = isJoined(folder, scratch)
    if ((joined && !(await needsSettling(parts))) || isGitBusy(folder.root)) return []
    if (parts.later !== 'no') return [parts.later === 'busy' ? WAITS : UNTRUSTED]
    const { mendFiles, rejoin } = await import('./mend-merge.ts')
    const rejoined = !joined && (await rejoin(parts))
    if (!joined && !rejoined && !(await needsSettling(parts))) return []
    return await store.commit({ surface: 'merge' }, (draft) => mendFiles(parts, draft))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return []
  }
}

/**
 * True when a merge left two file names with one number, or texts that both branches changed and nothing vouches for
 * yet.
 */
async function needsSettling({ store, folder }: SettleParts): Promise<boolean> {
  const numbers = (await folder.names('decisions', '.md')).flatMap((name) => decisionNumber(name) ?? [])
  if (new Set(numbers).size < numbers.length) return true
  const { last } = await journalEnd(folder)
  return last?.operation === 'join' && joinedPaths(await store.journal()).length > 0
}

const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

/** While git is half way through, changing files would get in its way. */
function isGitBusy(folder: string): boolean {
  const own = gitDirectoryAround(folder)?.own
  return own !== undefined && UNDER_WAY.some((name) => existsSync(join(own, name)))
}
