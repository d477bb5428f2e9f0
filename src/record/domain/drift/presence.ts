/** State of one file after a step of the history: the marks of everything the file uses. */
export interface Step {
  /** Index in the line of commits. */
  readonly place: number
  readonly path: string
  readonly marks: ReadonlySet<string>
}

export interface Change {
  readonly place: number
  readonly path: string
  readonly isAdded: boolean
  /** Number of files that contain the thing after this change. */
  readonly count: number
}

/** When each thing was added to the repository or removed. */
export interface Presence {
  has(mark: string): boolean
  /** Whether the thing was present after the commit at this place; -1 is before the first. */
  isThereAt(mark: string, place: number, scope?: InScope): boolean
  /** The last time after a given position that the thing was added while no file contained it. */
  cameAfter(mark: string, place: number, scope?: InScope): Change | undefined
  /** The last time that the thing was removed from its last file. */
  left(mark: string, scope?: InScope): Change | undefined
}

export type InScope = (path: string) => boolean

/** `steps` must be ordered oldest first. */
export function followPresence(steps: Iterable<Step>): Presence {
  const nothing: ReadonlySet<string> = new Set()
  const now = new Map<string, ReadonlySet<string>>()
  const changes = new Map<string, Omit<Change, 'count'>[]>()
  const note = (mark: string, change: Omit<Change, 'count'>): void => {
    const known = changes.get(mark)
    if (known === undefined) changes.set(mark, [change])
    else known.push(change)
  }
  for (const { place, path, marks } of steps) {
    const before = now.get(path) ?? nothing
    for (const mark of marks) if (!before.has(mark)) note(mark, { place, path, isAdded: true })
    for (const mark of before) if (!marks.has(mark)) note(mark, { place, path, isAdded: false })
    now.set(path, marks)
  }
  const counted = (mark: string, scope: InScope | undefined): Change[] => {
    let count = 0
    return (changes.get(mark) ?? [])
      .filter(({ path }) => scope?.(path) ?? true)
      .map((change) => ({ ...change, count: (count += change.isAdded ? 1 : -1) }))
  }
  return {
    has: (mark) => changes.has(mark),
    isThereAt: (mark, place, scope) =>
      (atPlaces(counted(mark, scope)).findLast((change) => change.place <= place)?.count ?? 0) > 0,
    cameAfter: (mark, place, scope) => {
      const all = atPlaces(counted(mark, scope))
      return all.findLast((change, i) => change.place > place && change.count > 0 && (all[i - 1]?.count ?? 0) === 0)
    },
    left: (mark, scope) => atPlaces(counted(mark, scope)).findLast(({ count }) => count === 0),
  }
}

/**
 * Only the last count of each commit matters: a thing that a commit removes from one file and adds to another is only
 * moved.
 */
const atPlaces = (changes: readonly Change[]): Change[] =>
  changes
    .filter((change, i) => changes[i + 1]?.place !== change.place)
    // A commit with an unchanged count added nothing.
    .filter((change, i, all) => change.count !== (all[i - 1]?.count ?? 0))
