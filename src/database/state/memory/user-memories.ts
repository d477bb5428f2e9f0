import type { MemoryRow } from '../../../analyst/domain/user-memory/memory-row.ts'
import type { MemoryEvent, UserMemories } from '../../../analyst/ports/user-memories.ts'
import { applyChanges, takeBack, type MemoryRows, type RowEvent } from '../memory-changes.ts'
import { newestFirst, own, type StateTables } from './state-tables.ts'

type Kept = StateTables['memoryEvents'][number]

export function userMemoriesOn(shelf: StateTables): UserMemories {
  const ofUser = (user: string): MemoryRow[] =>
    newestFirst(shelf.memories.values(), (row) => row.createdAt).filter((row) => row.user === user)
  const note = (user: string, events: readonly RowEvent[]): void => {
    const change = (shelf.memoryEvents.at(-1)?.change ?? 0) + 1
    shelf.memoryEvents.push(...events.map((event) => own({ ...event, change, user, undone: false })))
  }
  return {
    active: async (user, project) =>
      own(
        ofUser(user).filter(
          (row) => !row.supersededBy && !row.forgottenAt && (row.project === undefined || row.project === project),
        ),
      ),
    all: async (user) => own(ofUser(user)),
    async find(id, user) {
      const row = shelf.memories.get(id)
      return row?.user === user ? own(row) : undefined
    },
    async apply(user, changes) {
      const before = [new Map(shelf.memories), shelf.memoryEvents] as const
      try {
        note(user, applyChanges(rowsOf(shelf, user), user, own(changes)))
      } catch (error) {
        shelf.memories.clear()
        for (const [id, row] of before[0]) shelf.memories.set(id, row)
        shelf.memoryEvents = before[1]
        throw error
      }
    },
    history: async (user, id) =>
      shelf.memoryEvents
        .filter((event) => event.user === user && (id === undefined || event.memory === id))
        .toReversed()
        .map(told),
    async undo(user, at) {
      const last = shelf.memoryEvents.findLast((event) => event.user === user && canBeUndone(event))
      if (last === undefined) return undefined
      const events = shelf.memoryEvents.filter(({ change }) => change === last.change)
      shelf.memoryEvents = shelf.memoryEvents.map((event) =>
        event.change === last.change ? { ...event, undone: true } : event,
      )
      note(user, takeBack(rowsOf(shelf, user), events, at))
      return told({ ...events.find(canBeUndone)!, undone: true })
    },
  }
}

const canBeUndone = ({ kind, undone, before, after }: Kept): boolean =>
  !undone && kind !== 'undo' && (before !== undefined || after !== undefined)

const told = ({ change, kind, memory, before, after, at, undone }: Kept): MemoryEvent => ({
  change,
  kind,
  memory,
  ...(before && { before: before.content }),
  ...(after && { after: after.content }),
  at,
  undone,
})

const rowsOf = (shelf: StateTables, user: string): MemoryRows => ({
  find(id) {
    const row = shelf.memories.get(id)
    return row?.user === user ? row : undefined
  },
  isTaken: (id) => shelf.memories.has(id),
  supersededBy: (id) => [...shelf.memories.values()].filter((row) => row.user === user && row.supersededBy === id),
  put: (row) => void shelf.memories.set(row.id, row),
  remove: (id) => void shelf.memories.delete(id),
  erase(id) {
    shelf.memoryEvents = shelf.memoryEvents.map((event) => {
      const { before: _, after: __, ...rest } = event
      return event.memory === id ? rest : event
    })
  },
})
