import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import { gitDirectoryAround } from '../../../kernel/system/git-directory.ts'
import { decisionNumber } from '../../domain/decision/decision-id.ts'
import type { JournalLine } from '../../domain/journal/journal-lines.ts'
import { looseEvents } from '../../domain/journal/merge-journal.ts'
import { joinedPaths } from '../../domain/merge-repair.ts'
import type { Store } from '../../ports/store.ts'
import { JOURNAL } from '../judge-journal.ts'
import { sha256 } from '../record-text.ts'
import { journalEnd, parseJournal } from './journal-file.ts'
import type { RecordLock } from './lock.ts'
import { endOf } from './record-file.ts'
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

/**
 * True if a merge left two files with the same number, or texts that both branches changed and that no event covers
 * yet.
 */
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

interface Known {
  /** Start and hash of the line that was last in the journal. */
  readonly from: number
  readonly end: string
}

const NAME = 'joined.json'

/**
 * True if the journal is a single chain of events, or empty. Skips the part before the last known end, because this
 * runs whenever a record is opened.
 */
function isJoined(folder: RecordFolder, scratch: Scratch): boolean {
  const { size, closed, lastLine } = endOf(folder.files, JOURNAL)
  if (size === 0) return true
  const known = recall(scratch)
  const end = lastLine && { from: size - lastLine.length - (closed ? 1 : 0), end: sha256(lastLine) }
  if (known !== undefined && end?.from === known.from && end.end === known.end) return true
  if (!isOneEnd(linesSince(folder, known, size))) return false
  if (end !== undefined) remember(scratch, end)
  return true
}

/** The lines from the known end on, if it is still there; otherwise all. */
function linesSince(folder: RecordFolder, known: Known | undefined, size: number): readonly JournalLine[] {
  const read = (from: number) =>
    parseJournal(folder.files.readPart(JOURNAL, from, size - from) ?? Buffer.alloc(0)).lines
  const late = known === undefined || known.from >= size ? [] : read(known.from)
  return late[0] !== undefined && late[0].sha256 === known?.end ? late : read(0)
}

const isOneEnd = (lines: readonly JournalLine[]): boolean =>
  looseEvents(lines).length < 2 && !lines.some(({ readable, text }) => !readable && /^[<>]{7} /.test(text))

function recall(scratch: Scratch): Known | undefined {
  try {
    const { from, end } = JSON.parse(readFileSync(join(scratch.folder, NAME), 'utf8')) as Partial<Known>
    return typeof from === 'number' && from >= 0 && typeof end === 'string' ? { from, end } : undefined
  } catch {
    return undefined
  }
}

/** Never throws: if the known end is missing, the next check only takes longer. */
function remember(scratch: Scratch, known: Known): void {
  try {
    scratch.makeFolder()
    writeFileSync(join(scratch.folder, NAME), JSON.stringify(known), { mode: 0o600 })
  } catch {
    return
  }
}
