import {
  MOST_TRIES,
  NEVER_CAME_BACK,
  pauseAfter,
  type JobKind,
  type ListedJob,
  type TakenJob,
} from '../src/kernel/domain/jobs/job.ts'
import { jobRows, keptReason } from '../src/kernel/domain/jobs/new-jobs.ts'
import type { Clock } from '../src/kernel/ports/clock.ts'
import type { Jobs } from '../src/kernel/ports/jobs.ts'

interface Kept {
  readonly project: string
  readonly id: string
  readonly kind: JobKind
  readonly key: string | null
  readonly putAt: number
  payload: string
  dueAt: number
  tries: number
  lease?: number | undefined
  reason?: string | undefined
  isAside?: boolean
  /** The job put under the same key while this one is running. */
  again?: { readonly payload: string; readonly dueAt: number } | undefined
}

/** An in-memory queue of one process. */
export function openMemoryJobs(clock: Pick<Clock, 'now' | 'ulid'>): Jobs {
  const kept = new Map<string, Kept>()
  const turns = new Map<string, number>()
  const listeners = new Set<(kind: string | undefined) => void>()
  let turn = 0
  const now = (): number => clock.now().getTime()
  const tell = (kind: string): void => {
    for (const hear of listeners) hear(kind)
  }
  const held = ({ id, project, lease }: TakenJob): Kept | undefined => {
    const job = kept.get(id)
    return job?.project === project && job.lease === lease ? job : undefined
  }
  return {
    async put(project, jobs) {
      for (const { kind, key, payload, runAt } of jobRows(jobs)) {
        const dueAt = runAt === null ? now() : Date.parse(runAt)
        const same = key === null ? undefined : [...kept.values()].find(isJob({ project, kind, key }))
        if (same === undefined) {
          const id = clock.ulid()
          kept.set(id, { project, id, kind, key, payload, dueAt, putAt: now(), tries: 0 })
        } else join(same, { payload, dueAt })
        tell(kind)
      }
    },
    async take({ kinds, most, lease }) {
      const at = now()
      const due = [...kept.values()].filter((job) => !job.isAside && job.dueAt <= at)
      for (const job of due.filter(({ lease: gone, tries }) => gone !== undefined && tries >= MOST_TRIES))
        layAside(job, NEVER_CAME_BACK)
      const takeable = due
        .filter((job) => !job.isAside && job.dueAt <= at && kinds.includes(job.kind))
        .toSorted((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1))
      const queues = Map.groupBy(takeable, ({ project }) => project)
      const share = Math.ceil(most / Math.max(1, queues.size))
      return [...queues]
        .toSorted(([a], [b]) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0) || (a < b ? -1 : 1))
        .flatMap(([, jobs]) => jobs.slice(0, share))
        .slice(0, most)
        .map((job) => {
          turns.set(job.project, ++turn)
          Object.assign(job, { tries: job.tries + 1, lease: turn, dueAt: at + lease })
          const { project, id, kind, payload, tries } = job
          return { project, id, kind, payload: JSON.parse(payload) as unknown, tries, lease: turn }
        })
    },
    async keep(jobs, lease) {
      const mine = jobs.filter((job) => held(job))
      for (const job of mine) held(job)!.dueAt = now() + lease
      return mine
    },
    async done(taken) {
      const job = held(taken)
      if (job === undefined) return false
      if (job.again === undefined) return kept.delete(job.id)
      beginAnew(job, job.again, job.again.dueAt)
      job.reason = undefined
      tell(job.kind)
      return true
    },
    async failed(taken, { reason, stopped = false }) {
      const job = held(taken)
      if (job === undefined) return { next: 'lost' }
      const dueAt = now() + (stopped ? 0 : pauseAfter(taken.tries))
      job.reason = keptReason(reason)
      if (job.again !== undefined) beginAnew(job, job.again, Math.max(dueAt, job.again.dueAt))
      else if (!stopped && job.tries >= MOST_TRIES) layAside(job, job.reason)
      else Object.assign(job, { lease: undefined, dueAt, tries: stopped ? job.tries - 1 : job.tries })
      if (stopped) tell(job.kind)
      return job.isAside ? { next: 'given up' } : { next: 'again', dueAt: new Date(job.dueAt).toISOString() }
    },
    async list({ project, state, limit }) {
      return [...kept.values()]
        .toSorted((a, b) => a.dueAt - b.dueAt || (a.project + a.id < b.project + b.id ? -1 : 1))
        .map((job) => shown(job, now()))
        .filter((job) => (project ?? job.project) === job.project && (state ?? job.state) === job.state)
        .slice(0, limit)
    },
    drop: async (project, id) => kept.get(id)?.project === project && kept.delete(id),
    async listen(heard) {
      listeners.add(heard)
      return { close: async () => void listeners.delete(heard) }
    },
  }
}

const isJob =
  (one: Pick<Kept, 'project' | 'kind' | 'key'>) =>
  (job: Kept): boolean =>
    !job.isAside && job.project === one.project && job.kind === one.kind && job.key === one.key

function join(job: Kept, { payload, dueAt }: { readonly payload: string; readonly dueAt: number }): void {
  if (job.lease !== undefined) job.again = { payload, dueAt: Math.min(dueAt, job.again?.dueAt ?? Infinity) }
  else Object.assign(job, { payload, dueAt: job.tries === 0 ? Math.min(job.dueAt, dueAt) : job.dueAt })
}

const beginAnew = (job: Kept, { payload }: { readonly payload: string }, dueAt: number): void =>
  void Object.assign(job, { payload, dueAt, tries: 0, lease: undefined, again: undefined })

function layAside(job: Kept, reason: string): void {
  if (job.again !== undefined) beginAnew(job, job.again, job.again.dueAt)
  else Object.assign(job, { isAside: true, lease: undefined })
  job.reason = reason
}

const shown = ({ project, id, kind, key, tries, reason, ...job }: Kept, now: number): ListedJob => ({
  project,
  id,
  kind,
  ...(key && { key }),
  state: job.isAside ? 'given up' : job.lease !== undefined && job.dueAt > now ? 'running' : 'waiting',
  tries,
  putAt: new Date(job.putAt).toISOString(),
  dueAt: new Date(job.dueAt).toISOString(),
  ...(reason && { reason }),
})
