import type { DatabaseSync } from 'node:sqlite'
import {
  asList,
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
import { HarvestLedger, type Reading } from '../ledger.ts'
import { storedText } from '../stored-text.ts'

const CLIENT = 'zed'
const DATABASE = 'threads.db'

/** Threads of Zed's built-in agent; those of other agents that Zed runs are read from the logs of those agents. */
export const zed = defineHarvester({
  client: CLIENT,
  places: ['.local/share/zed/threads', 'Library/Application Support/Zed/threads', 'AppData/Local/Zed/threads'],
  async *read(root, cursor): AsyncGenerator<HarvestEvent> {
    const ledger = new HarvestLedger<DatabaseMemo>(root, `${CLIENT}/1`, cursor)
    yield* databaseSessions(ledger, { root, file: DATABASE, list: listThreads })
    yield ledger.cursor()
  },
})

// Older releases lack some of the columns, so the query cannot name them.
const THREADS = 'SELECT *, NULL AS data, octet_length(data) AS size FROM threads ORDER BY id'
const DATA = 'SELECT data FROM threads WHERE id = ? AND octet_length(data) <= ?'
/** Thread format version in which messages have kinds. */
const WITH_KINDS = '0.3.0'

function* listThreads(db: DatabaseSync): Generator<ListedSession> {
  if (!isPlainTable(db, 'threads')) return
  for (const row of db.prepare(THREADS).all()) {
    const { summary, updated_at, parent_id, folder_paths, size } = row
    yield {
      id: String(row.id),
      fingerprint: JSON.stringify([summary, updated_at, parent_id, folder_paths, size]),
      read: () => readThread(db, row),
    }
  }
}

function readThread(db: DatabaseSync, row: Record<string, unknown>): Omit<Reading<unknown>, 'memo'> {
  const id = String(row.id)
  const thread = parseObject(storedText(db.prepare(DATA).get(id, LONGEST_VALUE)?.data) ?? '')
  if (thread === undefined)
    return {
      session: undefined,
      skipped: [{ path: DATABASE, why: 'damaged', reason: `The thread ${id} cannot be read.` }],
      offsets: {},
    }
  const snapshot = asObject(thread.initial_project_snapshot)
  const updated = isoTime(row.updated_at) ?? isoTime(thread.updated_at) ?? '1970-01-01T00:00:00.000Z'
  const at = isoTime(row.created_at) ?? isoTime(snapshot?.timestamp) ?? updated
  const parent = asWords(row.parent_id) ?? null
  const messages = asList(thread.messages)
  return harvestedSession(
    {
      client: CLIENT,
      id,
      kind: parent === null ? 'main' : 'subagent',
      parentId: parent,
      files: [DATABASE],
      projectDir: folderOf(row, snapshot),
      titles: [['session', asWords(thread.title) ?? asWords(row.summary)]],
    },
    messages.flatMap((message) =>
      thread.version === WITH_KINDS
        ? messageEvents(message, { at, updated })
        : oldMessageEvents(message, { at, updated }),
    ),
  )
}

/** The first folder in the order that the person opened them in. */
function folderOf(row: Record<string, unknown>, snapshot: JsonObject | undefined): string | null {
  const paths = (asText(row.folder_paths) ?? '').split('\n').filter((path) => path !== '')
  const order = (asText(row.folder_paths_order) ?? '').split(',')
  const first = paths[Math.max(0, order.indexOf('0'))]
  return first ?? asWords(asObjects(snapshot?.worktree_snapshots)[0]?.worktree_path) ?? null
}

/** Start and last write of a thread, the only times recorded. */
interface Times {
  readonly at: string
  readonly updated: string
}

function messageEvents(message: unknown, { at, updated }: Times): SessionEvent[] {
  const user = asObject(asObject(message)?.User)
  if (user !== undefined) {
    const parts = asObjects(user.content)
    const images = parts.filter((part) => 'Image' in part).length
    const text = parts.flatMap((part) => asText(part.Text) ?? mentionOf(part) ?? []).join('')
    return [{ kind: 'user', text, at, ...(images > 0 ? { images } : {}) }]
  }
  const agent = asObject(asObject(message)?.Agent)
  const results = asObject(agent?.tool_results) ?? {}
  return asObjects(agent?.content).flatMap((part): SessionEvent[] => {
    const text = asText(part.Text)
    if (text !== undefined) return [{ kind: 'assistant', text, at, until: updated }]
    const use = asObject(part.ToolUse)
    return use === undefined ? [] : [toolEvent(use, asObject(results[asText(use.id) ?? '']))]
  })
}

/** Name of a mention, without its content. */
function mentionOf(part: JsonObject): string | undefined {
  const uri = asObject(asObject(part.Mention)?.uri)
  const [kind, target] = Object.entries(uri ?? {})[0] ?? []
  if (kind === undefined) return undefined
  const named = asObject(target)
  const path = asText(named?.abs_path) ?? asText(named?.path) ?? asText(named?.name) ?? asText(named?.url)
  return path === undefined ? `@${kind}` : `@${path.replace(/^.*[\\/]/, '')}`
}

function oldMessageEvents(message: unknown, { at, updated }: Times): SessionEvent[] {
  const read = asObject(message)
  const texts = asObjects(read?.segments).flatMap((part) => (part.type === 'text' ? [asText(part.text) ?? ''] : []))
  const text = texts.length > 0 ? texts.join('') : (asText(read?.text) ?? '')
  if (read?.role === 'user') return [{ kind: 'user', text, at }]
  if (read?.role !== 'assistant') return []
  const results = new Map(asObjects(read.tool_results).map((result) => [result.tool_use_id, result]))
  return [
    { kind: 'assistant', text, at, until: updated },
    ...asObjects(read.tool_uses).map((use) => toolEvent(use, results.get(use.id))),
  ]
}

function toolEvent(use: JsonObject, result: JsonObject | undefined): SessionEvent {
  const name = asWords(use.name) ?? 'unknown'
  const ok = result === undefined ? null : result.is_error !== true && !isFailedCommand(use, result)
  return { kind: 'tool', name, ok, detail: callDetail(use.input) }
}

/** Whether a command failed although the call succeeded: Zed notes it above the output. */
function isFailedCommand(use: JsonObject, { content }: JsonObject): boolean {
  const command = asText(asObject(use.input)?.command)
  const first = asObject(Array.isArray(content) ? content[0] : content)
  const text = asText(content) ?? asText(first?.Text) ?? ''
  return command !== undefined && /^ (?:failed with exit code|timed out)/.test(after(text, `Command "${command}"`))
}

const after = (text: string, start: string): string => (text.startsWith(start) ? text.slice(start.length) : '')
