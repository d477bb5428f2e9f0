import { AppError } from '../kernel/domain/errors.ts'
import { readTime } from '../kernel/domain/input/spoken-time.ts'
import { momentText } from './domain/as-of.ts'
import { instant } from './domain/snapshot/retention.ts'
import { snapshotName } from './domain/snapshot/snapshot.ts'
import type { Repository } from './ports/repository.ts'
import type { Store } from './ports/store.ts'

/** A moment as named by the user. */
export interface Moment {
  /** Unix milliseconds, inclusive. */
  readonly at: number
  /** True if the whole time span is in the future; false for a day that has begun. */
  readonly isAhead: boolean
  readonly commit?: string
  readonly snapshot?: number
}

export const MOMENT_FORMS =
  'Use a day (2026-03-01, to its end in UTC), a time (2026-03-01T09:30+01:00), an age (3 weeks ago, yesterday), a commit, branch or tag of this repository, or a snapshot (v012).'

const LONGEST = 200
// Largest date value in milliseconds, less a day.
const LAST_TIME = 8.64e15 - 86_400_000

/**
 * Parses a moment. A snapshot takes precedence over a time, a time over a git revision: nobody calls a branch
 * `yesterday`.
 */
export async function readMoment(
  said: string,
  { now, store, repository }: { now: number; store: Store; repository: () => Promise<Repository | undefined> },
): Promise<Moment> {
  const named = said.trim()
  if (named === '' || named.length > LONGEST || /\p{Cc}/u.test(named)) throw notAMoment(named)
  const snapshot = await snapshotNamed(store, named)
  if (snapshot !== undefined) return snapshot
  const span = readTime(named, now)
  if (span !== undefined && Math.abs(span.to) < LAST_TIME)
    return { at: wholeOf(named, span.to), isAhead: span.from > now }
  const around = await repository()
  const commit = await around?.commits.named(named)
  if (commit === undefined || Math.abs(commit.at) > LAST_TIME) throw notAMoment(named, around === undefined)
  // Git keeps whole seconds: anything written in the second of the commit counts as before it.
  return { at: commit.at + 999, isAhead: false, commit: commit.id }
}

async function snapshotNamed(store: Store, named: string): Promise<Moment | undefined> {
  const digits = /^v(\d{1,9})$/i.exec(named)?.[1]
  if (digits === undefined) return undefined
  const info = (await store.snapshots.list()).find(({ version }) => version === Number(digits))
  if (info === undefined) return undefined
  const at = (instant(info.timestamp) ?? new Date(`${info.timestamp}Z`)).getTime()
  if (Number.isNaN(at))
    throw new AppError('damaged', `Snapshot ${snapshotName(info.version)} has no date.`, {
      hint: 'Use a time instead.',
    })
  return { at, isAhead: false, snapshot: info.version }
}

/** A minute or a second includes all of it: times that people copy have no milliseconds. */
function wholeOf(named: string, at: number): number {
  const [, seconds, fraction] = /T?\d{2}:\d{2}(:\d{2})?([.,]\d+)?(?:\s*(?:Z|[+-]\d{2}:?\d{2}))?$/i.exec(named) ?? []
  if (!/\d{2}:\d{2}/.test(named) || fraction !== undefined) return at
  return at + (seconds === undefined ? 59_999 : 999)
}

function notAMoment(named: string, isOutside = false): AppError {
  const shown = named.length > 80 ? `${named.slice(0, 80)}…` : named
  return new AppError(
    'not_found',
    named === ''
      ? 'No time given.'
      : `"${shown}" is no time, no snapshot of this record${isOutside ? '' : ', and nothing that git knows here'}.`,
    { hint: isOutside ? `${MOMENT_FORMS} This folder is in no git repository.` : MOMENT_FORMS },
  )
}

export const momentName = ({ commit, snapshot }: Moment): string | undefined =>
  commit !== undefined
    ? `commit ${commit.slice(0, 10)}`
    : snapshot === undefined
      ? undefined
      : `snapshot ${snapshotName(snapshot)}`

export const momentShown = (moment: Moment): string => momentText(new Date(moment.at).toISOString())
