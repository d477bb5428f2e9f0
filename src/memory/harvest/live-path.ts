export interface Linked {
  readonly id: string | undefined
  /** Null where a conversation begins; undefined, or one that is not in the log, means the record before. */
  readonly parent: string | null | undefined
}

/**
 * The records of a conversation tree that are still in force: the last one and all above it. What was taken back stays
 * in the log on a branch of its own.
 */
export function livePath<T extends Linked>(records: readonly T[]): ReadonlySet<T> {
  const places = new Map(records.map(({ id }, at) => [id, at]))
  const live = new Set<T>()
  for (let at = records.length - 1; at >= 0;) {
    const record = records[at]!
    // A ring of parents would never end.
    if (live.has(record)) break
    live.add(record)
    if (record.parent === null) break
    at = (record.parent === undefined ? undefined : places.get(record.parent)) ?? at - 1
  }
  return live
}
