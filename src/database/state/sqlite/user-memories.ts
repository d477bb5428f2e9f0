import type { UserMemories } from '../../../analyst/ports/user-memories.ts'
import { json } from '../given.ts'
import { applyChanges, takeBack, type MemoryRows, type RowEvent } from '../memory-changes.ts'
import { eventOf, memoryOf, toldEvent } from '../memory-rows.ts'
import type { Tables } from './tables.ts'

// Changes that can be undone: not an undo, not undone, and not erased.
const UNDOABLE = "NOT undone AND kind <> 'undo' AND (before IS NOT NULL OR after IS NOT NULL)"

export function userMemoriesIn(tables: Tables): UserMemories {
  function note(user: string, events: readonly RowEvent[]): void {
    const last = tables.one('SELECT max(change) AS last FROM memory_event')
    const change = Number(last?.['last'] ?? 0) + 1
    for (const { kind, memory, before, after, at } of events)
      tables.run(
        'INSERT INTO memory_event (change, user, kind, memory, before, after, at, undone) VALUES (?, ?, ?, ?, ?, ?, ?, 0)',
        change,
        user,
        kind,
        memory,
        json(before),
        json(after),
        at,
      )
  }
  return {
    active: async (user, project) =>
      tables
        .all(
          `SELECT * FROM user_memory WHERE user = ? AND superseded_by IS NULL AND forgotten_at IS NULL
           AND (project IS NULL OR project = ?) ORDER BY created_at DESC, place DESC`,
          user,
          project ?? null,
        )
        .map(memoryOf),
    all: async (user) =>
      tables.all('SELECT * FROM user_memory WHERE user = ? ORDER BY created_at DESC, place DESC', user).map(memoryOf),
    find: async (id, user) => rowsOf(tables, user).find(id),
    async apply(user, changes) {
      await tables.write(() => note(user, applyChanges(rowsOf(tables, user), user, changes)))
      if (changes.some(({ kind }) => kind === 'erase')) tables.checkpoint()
    },
    history: async (user, id) =>
      tables
        .all(
          'SELECT * FROM memory_event WHERE user = ?1 AND (?2 IS NULL OR memory = ?2) ORDER BY place DESC',
          user,
          id ?? null,
        )
        .map((row) => toldEvent(eventOf(row))),
    undo: (user, at) =>
      tables.write(() => {
        const last = tables.one(
          `SELECT change FROM memory_event WHERE user = ? AND ${UNDOABLE} ORDER BY place DESC LIMIT 1`,
          user,
        )
        if (last === undefined) return undefined
        const change = last['change']!
        const first = tables.one(`SELECT * FROM memory_event WHERE change = ? AND ${UNDOABLE} ORDER BY place`, change)!
        const events = tables.all('SELECT * FROM memory_event WHERE change = ? ORDER BY place', change).map(eventOf)
        tables.run('UPDATE memory_event SET undone = 1 WHERE change = ?', change)
        note(user, takeBack(rowsOf(tables, user), events, at))
        return { ...toldEvent(eventOf(first)), undone: true }
      }),
  }
}

const rowsOf = (tables: Tables, user: string): MemoryRows => ({
  find(id) {
    const row = tables.one('SELECT * FROM user_memory WHERE id = ? AND user = ?', id, user)
    return row && memoryOf(row)
  },
  isTaken: (id) => tables.one('SELECT 1 FROM user_memory WHERE id = ?', id) !== undefined,
  supersededBy: (id) =>
    tables.all('SELECT * FROM user_memory WHERE user = ? AND superseded_by = ? ORDER BY place', user, id).map(memoryOf),
  put: (row) => {
    tables.run(
      `INSERT INTO user_memory (id, user, project, category, content, evidence, created_at, updated_at, superseded_by,
       forgotten_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET project = excluded.project,
       category = excluded.category, content = excluded.content, evidence = excluded.evidence,
       updated_at = excluded.updated_at, superseded_by = excluded.superseded_by, forgotten_at = excluded.forgotten_at`,
      row.id,
      row.user,
      row.project ?? null,
      row.category,
      row.content,
      JSON.stringify(row.evidence),
      row.createdAt,
      row.updatedAt,
      row.supersededBy ?? null,
      row.forgottenAt ?? null,
    )
  },
  remove: (id) => void tables.run('DELETE FROM user_memory WHERE id = ? AND user = ?', id, user),
  erase: (id) =>
    void tables.run('UPDATE memory_event SET before = NULL, after = NULL WHERE memory = ? AND user = ?', id, user),
})
