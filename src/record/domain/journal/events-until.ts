import type { JournalEvent } from './event.ts'
import { eventsInOrder } from './merge-journal.ts'

/**
 * The events that had happened by a moment, oldest first; both in milliseconds.
 *
 * Events are ordered by time, but never before their parents. An event of a branch counts from its own time on, even if
 * the branch was merged later: it was decided then. A wrong clock shows in times that go backwards along that order, or
 * are ahead of now: the longest run of times that does not go backwards is trusted, and every other event is placed
 * into its gap. So a clock that once showed 1970 or 2040 does not move the events that others wrote before and after
 * it.
 */
export function eventsUntil(events: readonly JournalEvent[], moment: number, now: number): JournalEvent[] {
  const ordered = eventsInOrder(events)
  const times = settledTimes(
    ordered.map(({ at }) => Date.parse(at)),
    now,
  )
  const end = times.findIndex((time) => time > moment)
  return end < 0 ? ordered : ordered.slice(0, end)
}

/** The resulting hash of every file; removed files are omitted. */
export function statesAfter(events: readonly JournalEvent[]): Map<string, string> {
  const states = new Map<string, string>()
  for (const { files } of events)
    for (const [path, state] of Object.entries(files))
      if (typeof state === 'string') states.set(path, state)
      else states.delete(path)
  return states
}

/** Times that never decrease, as close to the given ones as possible. */
function settledTimes(times: readonly number[], now: number): number[] {
  const believed = longestRun(times, now)
  const settled: number[] = []
  let [before, next] = [-Infinity, 0]
  for (const [at, time] of times.entries()) {
    if (at === believed[next]) next++
    const after = next < believed.length ? times[believed[next]!]! : now
    const said = Number.isNaN(time) ? (before === -Infinity ? after : before) : time
    before = Math.max(before, at === believed[next - 1] ? time : Math.min(said, after))
    settled.push(before)
  }
  return settled
}

/** Indexes of the longest run of times that never go backwards and are not ahead of now. */
function longestRun(times: readonly number[], now: number): number[] {
  // `ends[n]` is the end of the run of n + 1 times with the earliest last time.
  const ends: number[] = []
  const under = new Map<number, number | undefined>()
  for (const [at, time] of times.entries()) {
    if (!(time <= now)) continue
    const length = firstLater(ends, time, times)
    under.set(at, ends[length - 1])
    ends[length] = at
  }
  const run: number[] = []
  for (let at = ends.at(-1); at !== undefined; at = under.get(at)) run.push(at)
  return run.reverse()
}

function firstLater(ends: readonly number[], time: number, times: readonly number[]): number {
  let [from, to] = [0, ends.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (times[ends[middle]!]! > time) to = middle
    else from = middle + 1
  }
  return from
}
