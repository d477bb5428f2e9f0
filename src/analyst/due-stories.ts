import { plural } from '../kernel/domain/text.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import { isDue } from './domain/story/schedule.ts'
import type { Story, StoryRefresh } from './domain/story/story.ts'
import { refreshStory, type RefreshParts } from './refresh-story.ts'

export interface DueReport {
  readonly refreshed: number
  /** One line for each failed story. */
  readonly failed: readonly string[]
}

/**
 * Refreshes due stories, one after the other. A story missed while nothing ran is refreshed once; one that fails waits
 * for its next time.
 */
export async function refreshDueStories(
  parts: RefreshParts,
  user: string,
  isStopped: () => boolean = () => false,
): Promise<DueReport> {
  const failed: string[] = []
  let refreshed = 0
  const scheduled = await parts.state.stories.list({ user, scheduled: true })
  const isWanted = (story: Story): boolean => isStoryDue(story, parts.clock.now())
  for (const story of scheduled.filter(isWanted)) {
    if (isStopped()) break
    const done = await attempt(() => refreshStory(parts, story, { isWanted }))
    if (done === undefined) continue
    if (done.ok) refreshed++
    else failed.push(`The story ${story.slug} was not refreshed: ${done.problem ?? ''}`)
  }
  return { refreshed, failed }
}

function isStoryDue({ archivedAt, schedule, lastRefresh, createdAt }: Story, now: Date): boolean {
  if (schedule === undefined || archivedAt !== undefined) return false
  const since = [schedule.since ?? createdAt, lastRefresh?.at ?? createdAt].toSorted().at(-1)!
  return isDue(schedule, new Date(since), now)
}

/** Catches every failure: a story that cannot even store its failure must not block the others. */
async function attempt(work: () => Promise<StoryRefresh | undefined>): Promise<StoryRefresh | undefined> {
  try {
    return await work()
  } catch (error) {
    const failure = toAppError(error)
    return failure.code === 'stopped' ? undefined : { at: '', ok: false, problem: failure.line }
  }
}

export interface KeepFreshOptions {
  /** Resolves when the loop should end; the current story is finished first. */
  readonly stopped: Promise<void>
  tell(line: string): void
  warn(line: string): void
}

// Schedules count in minutes; a check costs one small query.
const LOOK_EVERY = 20_000

/** Refreshes due stories until stopped. Never throws: the caller has other work to do. */
export async function keepStoriesFresh(
  lookOnce: (isStopped: () => boolean) => Promise<DueReport>,
  { stopped, tell, warn }: KeepFreshOptions,
  every = LOOK_EVERY,
): Promise<number> {
  let isStopped = false
  let wake = (): void => {}
  let total = 0
  let last = ''
  void stopped.then(() => {
    isStopped = true
    wake()
  })
  while (!isStopped) {
    const { refreshed, failed } = await lookOnce(() => isStopped).catch((error: unknown) => ({
      refreshed: 0,
      failed: [`Scheduled stories could not be looked at: ${toAppError(error).line}`],
    }))
    total += refreshed
    if (refreshed > 0) tell(`${plural(refreshed, 'story', 'stories')} refreshed.`)
    for (const line of failed) {
      if (line !== last) warn(line)
      last = line
    }
    if (isStopped) break
    await new Promise<void>((passed) => {
      const timer = setTimeout(passed, every)
      wake = () => {
        clearTimeout(timer)
        passed()
      }
    })
  }
  return total
}
