import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import { gitDirectoryAround } from '../../../kernel/system/git-directory.ts'
import { decisionNumber } from '../../domain/decision/decision-id.ts'
import { joinedPaths } from '../../domain/merge-repair.ts'
import type { Store } from '../../ports/store.ts'
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
  /** Reason to report a pending merge without settling it: no time now, or an untrusted record. */
  readonly later: 'no' | 'busy' | 'untrusted'
}

const WAITS =
  'A merge of the record is not settled yet: numbers of decisions may change with the next command or tool call.'

const UNTRUSTED =
  'A merge of the record is not settled, because you have not trusted the record: a number may name two decisions. Read it with `ken list`, then run `ken trust`; the next command settles the merge.'

/**
 * Settles a record that git has merged, with or without Ken's merge driver, and returns the changes made. Fails
 * silently: a record that cannot be written now can still be read, and doctor reports the rest.
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

/** True if a merge left two file names with one number, or texts that both branches changed and no event covers yet. */
async function needsSettling({ store, folder }: SettleParts): Promise<boolean> {
  const numbers = (await folder.names('decisions', '.md')).flatMap((name) => decisionNumber(name) ?? [])
  if (new Set(numbers).size < numbers.length) return true
  const { last } = await journalEnd(folder)
  return last?.operation === 'join' && joinedPaths(await store.journal()).length > 0
}

const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

/** Changing files in the middle of a git operation would interfere with it. */
function isGitBusy(folder: string): boolean {
  const own = gitDirectoryAround(folder)?.own
  return own !== undefined && UNDER_WAY.some((name) => existsSync(join(own, name)))
}
