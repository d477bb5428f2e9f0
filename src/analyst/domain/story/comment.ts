import type { BlockAnchor } from './comment-places.ts'

/** One entry in a thread about a story: what somebody wrote, or that they resolved or reopened it. Never changed. */
export interface StoryComment {
  readonly id: string
  readonly story: string
  /** Id of the thread's first comment. */
  readonly thread: string
  /** When the thread began. */
  readonly begunAt: string
  readonly user: string
  readonly at: string
  readonly kind: 'written' | 'resolved' | 'reopened'
  /** True if an agent wrote it for the user. */
  readonly byAgent: boolean
  /** Empty unless written. */
  readonly text: string
  /** The block that the thread is about; undefined if it is about the whole story. */
  readonly anchor?: BlockAnchor
}

export interface CommentThread {
  readonly id: string
  readonly anchor: BlockAnchor | undefined
  /** Never empty, oldest first. The first comment may have been removed. */
  readonly written: readonly StoryComment[]
  /** The entry that resolved it; undefined while it is open. */
  readonly resolved: StoryComment | undefined
}

/** Groups entries by thread, in the order in which the threads began. */
export function threadsOf(comments: readonly StoryComment[]): readonly CommentThread[] {
  const threads = new Map<string, StoryComment[]>()
  for (const one of comments) {
    const entries = threads.get(one.thread)
    if (entries === undefined) threads.set(one.thread, [one])
    else entries.push(one)
  }
  const byBeginning = [...threads].toSorted(([, [a]], [, [b]]) => (a!.begunAt < b!.begunAt ? -1 : 1))
  return byBeginning.flatMap(([id, entries]) => {
    const written = entries.filter(({ kind }) => kind === 'written')
    const [first] = written
    if (first === undefined) return []
    const last = entries.findLast(({ kind }) => kind !== 'written')
    return [{ id, anchor: first.anchor, written, resolved: last?.kind === 'resolved' ? last : undefined }]
  })
}
