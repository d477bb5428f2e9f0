import type { DatabaseSync } from 'node:sqlite'
import {
  asObject,
  asObjects,
  asText,
  asWords,
  type JsonObject,
  parseObject,
} from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isoTime } from '../../domain/session/session.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { isPlainTable, LONGEST_VALUE } from '../database-copy.ts'
import { type DatabaseMemo, databaseSessions, type ListedSession } from '../database-sessions.ts'
import { defineHarvester } from '../define-harvester.ts'
import { harvestedSession } from '../harvested-session.ts'
import { HarvestLedger, type Reading, type Skip } from '../ledger.ts'

const CLIENT = 'goose'
const DATABASE = 'sessions.db'

/** Goose sessions. Goose itself migrates the files of its first releases into the database. */
export const goose = defineHarvester({
  client: CLIENT,
  places: ['.local/share/goose/sessions', 'AppData/Roaming/Block/goose/data/sessions'],
  async *read(root, cursor): AsyncGenerator<HarvestEvent> {
    const ledger = new HarvestLedger<DatabaseMemo>(root, `${CLIENT}/1`, cursor)
    yield* databaseSessions(ledger, { root, file: DATABASE, list: listSessions })
    yield ledger.cursor()
  },
})

const SESSIONS = 'SELECT * FROM sessions ORDER BY id'
const STATE = `SELECT count(*) AS rows, max(id) AS last, total(octet_length(content_json)) AS size
  FROM messages WHERE session_id = ?`
const MESSAGES = `SELECT id, role, created_timestamp, metadata_json,
  CASE WHEN octet_length(content_json) <= ? THEN content_json END AS content
  FROM messages WHERE session_id = ? ORDER BY id`
/** Goose's placeholder names of unnamed sessions. */
const NO_NAME = /^(?:New session|CLI Session|New Chat)\b/i

function* listSessions(db: DatabaseSync): Generator<ListedSession> {
  if (!isPlainTable(db, 'sessions') || !isPlainTable(db, 'messages')) return
  const state = db.prepare(STATE)
  for (const row of db.prepare(SESSIONS).all()) {
    // Goose hides its internal sessions.
    if (row.session_type === 'hidden') continue
    const { rows, last, size } = state.get(String(row.id)) ?? {}
    const { name, description, session_type, working_dir, updated_at } = row
    yield {
      id: String(row.id),
      fingerprint: JSON.stringify([name, description, session_type, working_dir, updated_at, rows, last, size]),
      read: () => readSession(db, row),
    }
  }
}

function readSession(db: DatabaseSync, row: Record<string, unknown>): Omit<Reading<unknown>, 'memo'> {
  const skipped: Skip[] = []
  const messages = db
    .prepare(MESSAGES)
    .all(LONGEST_VALUE, String(row.id))
    .flatMap((message) => {
      const content = partsOf(asText(message.content))
      if (content === undefined)
        skipped.push({ path: DATABASE, why: 'damaged', reason: `The message ${message.id} is not valid JSON.` })
      // Excludes text meant only for the model.
      const isShown = parseObject(asText(message.metadata_json) ?? '')?.userVisible !== false
      return content && isShown ? [{ role: message.role, at: timeOf(message.created_timestamp), content }] : []
    })
  const outcomes = new Map(messages.flatMap(({ content }) => content.flatMap(outcomeOf)))
  const name = asWords(row.name) ?? asWords(row.description)
  return harvestedSession(
    {
      client: CLIENT,
      id: String(row.id),
      kind: row.session_type === 'sub_agent' ? 'subagent' : 'main',
      parentId: null,
      files: [DATABASE],
      projectDir: asWords(row.working_dir) ?? null,
      titles: [['session', name !== undefined && NO_NAME.test(name) ? undefined : name]],
    },
    messages.flatMap(({ role, at, content }) => messageEvents(role, at, { content, outcomes })),
    skipped,
  )
}

function partsOf(text: string | undefined): readonly JsonObject[] | undefined {
  try {
    const parts: unknown = JSON.parse(text ?? '')
    return Array.isArray(parts) ? asObjects(parts) : undefined
  } catch {
    return undefined
  }
}

/** Converts a time in seconds; some imports kept milliseconds. */
const timeOf = (value: unknown): string =>
  isoTime(Number(value) < 100_000_000_000 ? Number(value) * 1000 : Number(value)) ?? '1970-01-01T00:00:00.000Z'

function outcomeOf(part: JsonObject): (readonly [string, boolean])[] {
  const result = asObject(part.toolResult)
  if (part.type !== 'toolResponse' || result === undefined) return []
  const value = asObject(result.value)
  return [[asText(part.id) ?? '', result.status !== 'error' && value?.isError !== true]]
}

interface Said {
  readonly content: readonly JsonObject[]
  readonly outcomes: ReadonlyMap<string, boolean>
}

function messageEvents(role: unknown, at: string, { content, outcomes }: Said): SessionEvent[] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [asText(part.text) ?? ''] : []))
  if (role === 'user') {
    const images = content.filter((part) => part.type === 'image').length
    return [{ kind: 'user', text: texts.join('\n\n'), at, ...(images > 0 ? { images } : {}) }]
  }
  return content.flatMap((part): SessionEvent[] => {
    if (part.type === 'text') return [{ kind: 'assistant', text: asText(part.text) ?? '', at }]
    if (part.type !== 'toolRequest' && part.type !== 'frontendToolRequest') return []
    const call = asObject(asObject(part.toolCall)?.value)
    const name = asWords(call?.name) ?? 'unknown'
    const ok = outcomes.get(asText(part.id) ?? '') ?? null
    return [{ kind: 'tool', name, ok, detail: callDetail(call?.arguments) }]
  })
}
