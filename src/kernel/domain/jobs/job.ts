/** Kinds of background work on a server. A closed list: a worker takes only kinds that it supports. */
export const JOB_KINDS = {
  'harvest-intake': 'sessions that a machine sent are taken into the memory',
  embedding: 'chunks get their vectors',
  'sync-sources': 'sources of the context are read again',
  'story-refresh': 'a story with a schedule is made anew',
  'context-pull': 'the context comes from its git repository',
  'chat-upkeep': 'answers that a crash cut off are ended, and chats deleted long ago go',
  'channel-answer': 'a question of a channel such as Slack is answered there',
  'channel-press': 'a button of an answer in a channel was pressed',
  'webhook-delivery': 'a change of a record is sent to an address that its project named',
  'deletion-expiry': 'what was kept for as long as it should be is removed',
} as const

export type JobKind = keyof typeof JOB_KINDS

export interface NewJob {
  readonly kind: JobKind
  /** Any JSON value. */
  readonly payload: unknown
  /** Jobs with the same project, kind and key are one job: it is queued once and never runs concurrently. */
  readonly key?: string
  /** ISO; immediately if undefined. */
  readonly runAt?: string
}

/** Job held by a worker. `lease` identifies this particular acquisition. */
export interface TakenJob {
  readonly project: string
  readonly id: string
  readonly kind: JobKind
  readonly payload: unknown
  /** Number of tries, including this one. */
  readonly tries: number
  readonly lease: number
}

export type JobState = 'waiting' | 'running' | 'given up'

/** Job as shown, without its payload. */
export interface ListedJob {
  readonly project: string
  readonly id: string
  /** May be a kind that only a newer Ken supports. */
  readonly kind: string
  readonly key?: string
  readonly state: JobState
  readonly tries: number
  readonly putAt: string
  /**
   * Time from which the job may be claimed: its scheduled time, the end of a pause, or the end of its worker's lease.
   */
  readonly dueAt: string
  /** Last failure. */
  readonly reason?: string
}

export const MOST_TRIES = 8

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 3_600_000

/** Milliseconds until a failed job is retried: 5 s, 20 s, 80 s … an hour; eight tries take about two and a half hours. */
export const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_MS * 4 ** (Math.max(1, tries) - 1), LONGEST_PAUSE_MS)

/** Failure reason of a job whose workers all disappeared before finishing it. */
export const NEVER_CAME_BACK = 'Whoever ran it was gone before it was done.'
