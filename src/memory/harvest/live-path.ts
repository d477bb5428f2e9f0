export interface Linked {
  readonly id: string | undefined
  /** Null for the start of a conversation; undefined, or a parent missing in the log, means the previous record. */
  readonly parent: string | null | undefined
}

/**
 * The live records of a conversation tree: the last one and its ancestors. Reverted records stay in the log on a
 * separate branch.
 */
export function livePath<T extends Linked>(records: readonly T[]): ReadonlySet<T> {
  const places = new Map(records.map(({ id }, at) => [id, at]))
  const live = new Set<T>()
  for (let at = records.length - 1; at >= 0;) {
    const record = records[at]!
    // Guards against a cycle of parents.
    if (live.has(record)) break
    live.add(record)
    if (record.parent === null) break
    at = (record.parent === undefined ? undefined : places.get(record.parent)) ?? at - 1
  }
  return live
}
