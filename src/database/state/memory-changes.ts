import { keptText } from '../../analyst/domain/chat/kept-sizes.ts'
import type { MemoryRow } from '../../analyst/domain/user-memory/memory-row.ts'
import type { MemoryChange, MemoryEvent } from '../../analyst/ports/user-memories.ts'
import { AppError } from '../../kernel/domain/errors.ts'

/** One user's rows before and after a change, in a transaction of the store. */
export interface MemoryRows {
  find(id: string): MemoryRow | undefined
  /** Whether any user has a row with this id. */
  isTaken(id: string): boolean
  supersededBy(id: string): readonly MemoryRow[]
  put(row: MemoryRow): void
  remove(id: string): void
  /** Removes the content from all events of this row. */
  erase(id: string): void
}

/** Change of one row, with enough to undo it. */
export interface RowEvent {
  readonly kind: MemoryEvent['kind']
  readonly memory: string
  readonly before?: MemoryRow
  readonly after?: MemoryRow
  readonly at: string
}

/** Applies the changes in order and returns the events. */
export function applyChanges(rows: MemoryRows, user: string, changes: readonly MemoryChange[]): readonly RowEvent[] {
  const events = changes.flatMap((change): RowEvent[] => {
    switch (change.kind) {
      case 'add':
        return add(rows, user, change)
      case 'edit': {
        const before = present(rows, change.id)
        return [put(rows, 'edit', before, { ...before, content: keptText(change.content), updatedAt: change.at })]
      }
      case 'forget':
        return forget(rows, change)
      case 'erase': {
        const { id } = present(rows, change.id)
        rows.remove(id)
        rows.erase(id)
        return [{ kind: 'erase', memory: id, at: change.at }]
      }
    }
  })
  const erased = new Set(events.flatMap(({ kind, memory }) => (kind === 'erase' ? [memory] : [])))
  return events.map(({ before, after, ...event }) =>
    erased.has(event.memory) ? event : { ...event, ...(before && { before }), ...(after && { after }) },
  )
}

/** Undoes the events of one change, last first; rows erased since stay erased. */
export function takeBack(rows: MemoryRows, events: readonly RowEvent[], at: string): readonly RowEvent[] {
  return events.toReversed().flatMap(({ memory, before }) => {
    const now = rows.find(memory)
    if (now === undefined && before === undefined) return []
    if (before === undefined) rows.remove(memory)
    else rows.put(before)
    return [{ kind: 'undo', memory, ...(now && { before: now }), ...(before && { after: before }), at }]
  })
}

type Of<Kind extends MemoryChange['kind']> = Extract<MemoryChange, { kind: Kind }>

function add(rows: MemoryRows, user: string, { row, supersedes }: Of<'add'>): RowEvent[] {
  if (row.user !== user) throw new AppError('forbidden', 'Can’t add a memory for another user.')
  if (rows.isTaken(row.id)) throw new AppError('conflict', `Memory ${row.id} already exists.`)
  const evidence = { ...row.evidence, words: keptText(row.evidence.words) }
  const added = { ...row, content: keptText(row.content), evidence }
  const older = supersedes === undefined ? undefined : rows.find(supersedes)
  const isReplaced = older?.category === row.category && holds(older)
  return [
    put(rows, 'add', undefined, added),
    ...(isReplaced ? [put(rows, 'supersede', older, { ...older, supersededBy: row.id }, row.createdAt)] : []),
  ]
}

function forget(rows: MemoryRows, { id, at, revive }: Of<'forget'>): RowEvent[] {
  const before = present(rows, id)
  const older = revive ? rows.supersededBy(id) : []
  return [
    ...(before.forgottenAt === undefined ? [put(rows, 'forget', before, { ...before, forgottenAt: at }, at)] : []),
    ...older.map((row) => {
      const { supersededBy: _, ...revived } = row
      return put(rows, 'revive', row, revived, at)
    }),
  ]
}

function present(rows: MemoryRows, id: string): MemoryRow {
  const row = rows.find(id)
  if (row === undefined) throw new AppError('not_found', `No memory ${id}.`, { hint: 'List them to see their ids.' })
  return row
}

function put(
  rows: MemoryRows,
  kind: RowEvent['kind'],
  before: MemoryRow | undefined,
  after: MemoryRow,
  at = after.updatedAt,
): RowEvent {
  rows.put(after)
  return { kind, memory: after.id, ...(before && { before }), after, at }
}

const holds = (row: MemoryRow): boolean => row.supersededBy === undefined && row.forgottenAt === undefined
