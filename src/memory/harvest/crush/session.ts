import type { DatabaseSync } from 'node:sqlite'
import { asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isoTime } from '../../domain/session/session.ts'
import { LONGEST_VALUE } from '../database-copy.ts'
import { harvestedSession } from '../harvested-session.ts'
import type { Reading, Skip } from '../ledger.ts'
import { storedText } from '../stored-text.ts'
import type { CrushProject } from './index.ts'

export const CLIENT = 'crush'

const MESSAGES = `SELECT *, CASE WHEN octet_length(parts) <= ? THEN parts END AS parts
  FROM messages WHERE session_id = ? ORDER BY created_at, rowid`

export function readSession(
  db: DatabaseSync,
  row: Record<string, unknown>,
  { path, database }: CrushProject,
): Omit<Reading<unknown>, 'memo'> {
  const skipped: Skip[] = []
  const messages = db
    .prepare(MESSAGES)
    .all(LONGEST_VALUE, String(row.id))
    .flatMap((message) => {
      const parts = partsOf(storedText(message.parts))
      if (parts === undefined)
        skipped.push({ path: database, why: 'damaged', reason: `The message ${String(message.id)} is not valid JSON.` })
      return parts ? [{ message, parts }] : []
    })
  const outcomes = new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap(({ type, data }) =>
        type === 'tool_result' ? [[data.tool_call_id, isSuccess(data)] as const] : [],
      ),
    ),
  )
  const parent = asWords(row.parent_session_id) ?? null
  return harvestedSession(
    {
      client: CLIENT,
      id: String(row.id),
      kind: parent === null ? 'main' : 'subagent',
      parentId: parent,
      files: [database],
      projectDir: path,
      titles: [['session', row.title === 'New Session' ? undefined : asWords(row.title)]],
    },
    messages.flatMap(({ message, parts }) => messageEvents(message, parts, outcomes)),
    skipped,
  )
}

/** A failed command is still a successful call; its exit code is below the output. */
function isSuccess({ is_error, name, content }: JsonObject): boolean {
  if (is_error === true) return false
  const [, code] = (name === 'bash' && FAILED.exec(asText(content)?.slice(-LONGEST_END) ?? '')) || []
  return code === undefined || Number(code) === 0
}

const LONGEST_END = 2000
const FAILED = /(?:^|\n)Exit code (-?\d+)\s*(?:<cwd>[^\n]*<\/cwd>\s*)?$/

interface Part {
  readonly type: unknown
  readonly data: JsonObject
}

function partsOf(text: string | undefined): readonly Part[] | undefined {
  try {
    const parts: unknown = JSON.parse(text ?? '')
    if (!Array.isArray(parts)) return undefined
    return asObjects(parts).map(({ type, data }) => ({ type, data: asObject(data) ?? {} }))
  } catch {
    return undefined
  }
}

function messageEvents(
  message: Record<string, unknown>,
  parts: readonly Part[],
  outcomes: ReadonlyMap<unknown, boolean>,
): SessionEvent[] {
  const at = timeOf(message.created_at)
  // Skips a prompt that Crush wrote to continue.
  const texts = parts.flatMap(({ type, data }) =>
    type === 'text' && data.hidden !== true ? [asText(data.text) ?? ''] : [],
  )
  if (message.is_summary_message === 1) return [{ kind: 'compacted', text: texts.join('\n\n'), at }]
  if (message.role === 'user') return [{ kind: 'user', text: texts.join('\n\n'), at }]
  if (message.role !== 'assistant') return []
  const tools = parts.flatMap(({ type, data }): SessionEvent[] => {
    if (type !== 'tool_call') return []
    const ok = outcomes.get(data.id) ?? null
    return [{ kind: 'tool', name: asWords(data.name) ?? 'unknown', ok, detail: callDetail(data.input) }]
  })
  const isCancelled = parts.some(({ type, data }) => type === 'finish' && data.reason === 'canceled')
  return [
    ...texts.map((text): SessionEvent => ({ kind: 'assistant', text, at })),
    ...tools,
    ...(isCancelled ? [{ kind: 'aborted' } as const] : []),
  ]
}

/** Converts a time: seconds in the first releases, milliseconds since. */
const timeOf = (value: unknown): string =>
  isoTime(Number(value) < 100_000_000_000 ? Number(value) * 1000 : Number(value)) ?? '1970-01-01T00:00:00.000Z'
