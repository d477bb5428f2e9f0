import type { MemoryRow } from '../../../analyst/domain/user-memory/memory-row.ts'
import type { UserMemories } from '../../../analyst/ports/user-memories.ts'
import { json } from '../given.ts'
import { applyChanges, takeBack, type RowEvent, type MemoryRows } from '../memory-changes.ts'
import { eventOf, memoryOf, toldEvent } from '../memory-rows.ts'
import { asList, inLine, type Ask, type ScopedRows } from './scoped-rows.ts'

const MEMORY = `SELECT *, person AS "user", jsonb_strip_nulls(jsonb_build_object('words', words, 'chat', chat,
  'message', message, 'source', source))::text AS evidence FROM ken.user_memories`
const NEWEST_FIRST = 'ORDER BY created_at DESC, place DESC'
// Changes that can be undone: not an undo, not undone, and not erased.
const UNDOABLE = "NOT undone AND kind <> 'undo' AND (before IS NOT NULL OR after IS NOT NULL)"

export function userMemoriesIn(rows: ScopedRows): UserMemories {
  return {
    active: async (user, project) =>
      (
        await rows.ask(
          `${MEMORY} WHERE person = $1 AND superseded_by IS NULL AND forgotten_at IS NULL
           AND (project IS NULL OR project = $2) ${NEWEST_FIRST}`,
          user,
          project ?? null,
        )
      ).map(memoryOf),
    all: async (user) => (await rows.ask(`${MEMORY} WHERE person = $1 ${NEWEST_FIRST}`, user)).map(memoryOf),
    async find(id, user) {
      const [row] = await rows.ask(`${MEMORY} WHERE id = $1 AND person = $2`, id, user)
      return row && memoryOf(row)
    },
    apply: (user, changes) =>
      rows.within(async (ask) => {
        const ledger = await opened(
          ask,
          user,
          changes.flatMap((one) => (one.kind === 'add' ? [one.row.id] : [])),
        )
        const events = applyChanges(ledger, user, changes)
        await written(ask, user, ledger, events)
      }),
    history: async (user, id) =>
      (
        await rows.ask(
          `SELECT * FROM ken.memory_events WHERE person = $1 AND ($2::text IS NULL OR memory = $2)
           ORDER BY change DESC, nth DESC`,
          user,
          id ?? null,
        )
      ).map((row) => toldEvent(eventOf(row))),
    undo: (user, at) =>
      rows.within(async (ask) => {
        const ledger = await opened(ask, user, [])
        const undone = await ask(
          `UPDATE ken.memory_events SET undone = true WHERE person = $1 AND change = (
             SELECT max(change) FROM ken.memory_events WHERE person = $1 AND ${UNDOABLE}) RETURNING *`,
          user,
        )
        const events = undone.toSorted((a, b) => Number(a['nth']) - Number(b['nth'])).map(eventOf)
        const first = events.find((event) => event.before !== undefined || event.after !== undefined)
        if (first === undefined) return undefined
        await written(ask, user, ledger, takeBack(ledger, events, at))
        return toldEvent(first)
      }),
  }
}

/** All rows of a user, a few hundred at most, locked until the transaction ends. */
async function opened(ask: Ask, user: string, added: readonly string[]): Promise<MemoryLedger> {
  await inLine(ask, 'memories', user)
  const known = await ask(`${MEMORY} WHERE person = $1 ORDER BY place`, user)
  const others = await ask(
    'SELECT id FROM ken.user_memories WHERE person <> $1 AND id IN (SELECT jsonb_array_elements_text($2::text::jsonb))',
    user,
    asList(added),
  )
  return memoryLedger(
    known.map(memoryOf),
    others.map(({ id }) => String(id)),
  )
}

async function written(ask: Ask, user: string, ledger: MemoryLedger, events: readonly RowEvent[]): Promise<void> {
  const { removed, erased, put } = ledger.changes()
  await ask(
    `WITH erased AS (
       UPDATE ken.memory_events SET before = NULL, after = NULL
       WHERE person = $1 AND memory IN (SELECT jsonb_array_elements_text($2::text::jsonb)))
     DELETE FROM ken.user_memories
     WHERE person = $1 AND id IN (SELECT jsonb_array_elements_text($3::text::jsonb))`,
    user,
    asList(erased),
    asList(removed),
  )
  await ask(
    `INSERT INTO ken.user_memories AS old (id, person, project, category, content, words, chat, message, source,
       created_at, updated_at, superseded_by, forgotten_at)
     SELECT id, $1::text, project, category, content, words, chat, message, source, "createdAt", "updatedAt",
       "supersededBy", "forgottenAt"
     FROM jsonb_to_recordset($2::text::jsonb) AS row(id text, project text, category text, content text, words text,
       chat text, message text, source text, "createdAt" timestamptz, "updatedAt" timestamptz, "supersededBy" text,
       "forgottenAt" timestamptz)
     ON CONFLICT (id, person) DO UPDATE SET project = excluded.project, category = excluded.category,
       content = excluded.content, words = excluded.words, chat = excluded.chat, message = excluded.message,
       source = excluded.source, updated_at = excluded.updated_at, superseded_by = excluded.superseded_by,
       forgotten_at = excluded.forgotten_at`,
    user,
    asList(put.map(({ evidence, ...row }) => ({ ...evidence, ...row }))),
  )
  await ask(
    `INSERT INTO ken.memory_events (person, change, nth, kind, memory, before, after, at)
     SELECT $1::text, (SELECT coalesce(max(change), 0) + 1 FROM ken.memory_events WHERE person = $1), nth, kind, memory,
       before, after, at
     FROM jsonb_to_recordset($2::text::jsonb)
       AS event(nth int, kind text, memory text, before text, after text, at timestamptz)`,
    user,
    asList(
      events.map(({ before, after, ...event }, nth) => ({ ...event, nth, before: json(before), after: json(after) })),
    ),
  )
}

/** A user's rows before a change, and its effects, to be written together. */
interface MemoryLedger extends MemoryRows {
  changes(): {
    readonly put: readonly MemoryRow[]
    readonly removed: readonly string[]
    readonly erased: readonly string[]
  }
}

/** `others`: ids that belong to other users. */
function memoryLedger(known: readonly MemoryRow[], others: readonly string[]): MemoryLedger {
  const rows = new Map(known.map((row) => [row.id, row]))
  const [put, removed, erased] = [new Set<string>(), new Set<string>(), new Set<string>()]
  return {
    find: (id) => rows.get(id),
    isTaken: (id) => rows.has(id) || others.includes(id),
    supersededBy: (id) => [...rows.values()].filter((row) => row.supersededBy === id),
    put(row) {
      rows.set(row.id, row)
      put.add(row.id)
    },
    remove(id) {
      rows.delete(id)
      put.delete(id)
      removed.add(id)
    },
    erase: (id) => void erased.add(id),
    changes: () => ({ put: [...put].map((id) => rows.get(id)!), removed: [...removed], erased: [...erased] }),
  }
}
