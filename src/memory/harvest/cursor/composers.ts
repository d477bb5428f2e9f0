import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import {
  asObject,
  asObjects,
  asWords,
  type JsonObject,
  parseObject,
  asList,
  asText,
} from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isoTime } from '../../domain/session/session.ts'
import { isPlainTable, LONGEST_VALUE } from '../database-copy.ts'
import type { ListedSession } from '../database-sessions.ts'
import { harvestedSession } from '../harvested-session.ts'
import type { Reading, Skip } from '../ledger.ts'
import { storedText } from '../stored-text.ts'
import { userQuery } from './human-text.ts'

export const CLIENT = 'cursor'

export interface ComposerPlace {
  /** Path of the database relative to the root. */
  readonly file: string
  /** The folder of each workspace, and of each conversation that a workspace lists. */
  readonly workspaces: ReadonlyMap<string, string>
  readonly members: ReadonlyMap<string, string>
}

// The tables also contain tokens and settings: only the keys of conversations are ever queried.
const COMPOSERS =
  "SELECT key, CAST(value AS BLOB) AS value FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' AND octet_length(value) <= ?"
const BUBBLE_STATE =
  'SELECT count(*) AS rows, total(octet_length(value)) AS size FROM cursorDiskKV WHERE key >= ? AND key < ?'
const BUBBLE = 'SELECT CAST(value AS BLOB) AS value FROM cursorDiskKV WHERE key = ? AND octet_length(value) <= ?'
const HEADS = 'SELECT composerId, CAST(value AS BLOB) AS value FROM composerHeaders WHERE octet_length(value) <= ?'

/** Editor conversations, each with the order of its messages; the messages are in separate rows. */
export function* listComposers(db: DatabaseSync, place: ComposerPlace): Generator<ListedSession> {
  if (!isPlainTable(db, 'cursorDiskKV')) return
  const heads = readHeads(db)
  const state = db.prepare(BUBBLE_STATE)
  for (const row of db.prepare(COMPOSERS).iterate(LONGEST_VALUE)) {
    const id = String(row.key).slice('composerData:'.length)
    const value = storedText(row.value) ?? ''
    const head = heads.get(id)
    const bubbles = state.get(`bubbleId:${id}:`, `bubbleId:${id};`)
    const workspace = workspaceOf(id, parseObject(value), { head, place })
    yield {
      id,
      fingerprint: JSON.stringify([digest(value), head, bubbles?.rows, bubbles?.size, workspace]),
      read: () => readComposer(db, { id, value, head, place }),
    }
  }
}

/** Facts that newer releases keep outside the conversation. */
interface Head {
  readonly name: string | null
  readonly parent: string | null
  readonly workspace: WorkspaceMark | null
}

function readHeads(db: DatabaseSync): ReadonlyMap<string, Head> {
  const heads = new Map<string, Head>()
  if (!isPlainTable(db, 'composerHeaders')) return heads
  for (const row of db.prepare(HEADS).iterate(LONGEST_VALUE)) {
    const value = parseObject(storedText(row.value) ?? '')
    if (value)
      heads.set(String(row.composerId), {
        name: asWords(value.name) ?? null,
        parent: asWords(asObject(value.subagentInfo)?.parentComposerId) ?? null,
        workspace: markOf(value.workspaceIdentifier) ?? null,
      })
  }
  return heads
}

interface StoredComposer {
  readonly id: string
  readonly value: string
  readonly head: Head | undefined
  readonly place: ComposerPlace
}

function readComposer(db: DatabaseSync, { id, value, head, place }: StoredComposer): Omit<Reading<unknown>, 'memo'> {
  const composer = parseObject(value)
  if (composer === undefined)
    return {
      session: undefined,
      skipped: [{ path: place.file, why: 'damaged', reason: `Conversation ${id} is not valid JSON.` }],
      offsets: {},
    }
  const skipped: Skip[] = []
  const parent = head?.parent ?? asWords(asObject(composer.subagentInfo)?.parentComposerId) ?? null
  const events: SessionEvent[] = []
  let at = isoTime(composer.createdAt) ?? '1970-01-01T00:00:00.000Z'
  for (const bubble of bubblesOf(db, { id, composer, file: place.file }, skipped)) {
    const told = bubbleEvents(bubble, at)
    at = told.at
    events.push(...told.events)
  }
  return harvestedSession(
    {
      client: CLIENT,
      id,
      kind: parent === null ? 'main' : 'subagent',
      parentId: parent,
      files: [place.file],
      projectDir: workspaceOf(id, composer, { head, place }) ?? null,
      archived: composer.isArchived === true,
      titles: [['session', asWords(composer.name) ?? head?.name ?? undefined]],
    },
    events,
    skipped,
  )
}

/** Messages of a conversation; older releases kept them inside the conversation. */
function* bubblesOf(
  db: DatabaseSync,
  { id, composer, file }: { id: string; composer: JsonObject; file: string },
  skipped: Skip[],
): Generator<JsonObject> {
  const headers = asObjects(composer.fullConversationHeadersOnly)
  if (headers.length === 0) return yield* asObjects(composer.conversation)
  const one = db.prepare(BUBBLE)
  for (const header of headers) {
    const bubbleId = asWords(header.bubbleId)
    const row = bubbleId === undefined ? undefined : one.get(`bubbleId:${id}:${bubbleId}`, LONGEST_VALUE)
    if (row === undefined) continue
    const bubble = parseObject(storedText(row.value) ?? '')
    if (bubble) yield { createdAt: header.createdAt, ...bubble }
    else skipped.push({ path: file, why: 'damaged', reason: `The message ${bubbleId} is not valid JSON.` })
  }
}

/** Facts a conversation records about its window. */
interface WorkspaceMark {
  readonly id: string | undefined
  readonly folder: string | undefined
  readonly isElsewhere: boolean
}

function markOf(identifier: unknown): WorkspaceMark | undefined {
  const known = asObject(identifier)
  if (known === undefined) return undefined
  const uri = asObject(known.uri)
  const isElsewhere = uri !== undefined && (asWords(uri.scheme) ?? 'file') !== 'file'
  return { id: asWords(known.id), folder: asWords(uri?.fsPath), isElsewhere }
}

function workspaceOf(
  id: string,
  composer: JsonObject | undefined,
  { head, place }: { head: Head | undefined; place: ComposerPlace },
): string | undefined {
  const mark = markOf(composer?.workspaceIdentifier) ?? head?.workspace ?? undefined
  if (mark?.isElsewhere) return undefined
  return mark?.folder ?? place.workspaces.get(mark?.id ?? '') ?? place.members.get(id)
}

const digest = (value: string): string => createHash('sha256').update(value).digest('hex').slice(0, 16)

const PERSON = 1
const ASSISTANT = 2
/** Earlier times are invalid: some releases wrote milliseconds since the window was opened. */
const FIRST_REAL_TIME = Date.parse('2020-01-01T00:00:00.000Z')

/** Events and time of a message; `before` is the time of the previous one. */
function bubbleEvents(bubble: JsonObject, before: string): { events: SessionEvent[]; at: string } {
  const at = timeOf(bubble) ?? before
  const text = asText(bubble.text) ?? ''
  if (bubble.type === PERSON) {
    const images = asList(bubble.images).length
    return { events: [{ kind: 'user', text: userQuery(text) ?? text, at, ...(images > 0 ? { images } : {}) }], at }
  }
  if (bubble.type !== ASSISTANT) return { events: [], at }
  const tool = asObject(bubble.toolFormerData)
  const name = asWords(tool?.name)
  const events: SessionEvent[] = [{ kind: 'assistant', text, at }]
  if (tool !== undefined && name !== undefined)
    events.push({
      kind: 'tool',
      name,
      ok: outcomeOf(tool),
      detail: callDetail(tool.params) ?? callDetail(tool.rawArgs),
    })
  return { events, at }
}

function timeOf(bubble: JsonObject): string | undefined {
  const started = asObject(bubble.timingInfo)?.clientStartTime
  return (
    isoTime(bubble.createdAt) ??
    (typeof started === 'number' && started >= FIRST_REAL_TIME ? isoTime(started) : undefined)
  )
}

function outcomeOf(tool: JsonObject): boolean | null {
  if (tool.status === 'error' || tool.status === 'cancelled' || tool.userDecision === 'rejected') return false
  if (tool.status !== 'completed') return null
  const result = parseObject(asText(tool.result) ?? '')
  return [result?.exitCode, result?.exitCodeV2].every((code) => typeof code !== 'number' || code === 0)
}
