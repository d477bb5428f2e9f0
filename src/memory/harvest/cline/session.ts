import { join } from 'node:path'
import { asList, asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { withoutTagged } from '../../domain/session/injected.ts'
import { isoTime } from '../../domain/session/session.ts'
import { harvestedSession } from '../harvested-session.ts'
import type { Reading, SessionSource } from '../ledger.ts'
import { readWholeJson } from '../whole-json.ts'

/** Sessions in the format of the command line and newer releases: messages with their author and location. */
export async function listSessions(root: string): Promise<SessionSource[]> {
  const ids = (await listFolder(join(root, 'sessions'))).filter((id) => /^[\w-]+$/.test(id))
  return ids.map((id) => {
    const base = `sessions/${id}/${id}`
    return { key: id, files: [`${base}.messages.json`, `${base}.json`], note: '' }
  })
}

export async function readSession(root: string, client: string, { key, files }: SessionSource): Promise<Reading<null>> {
  const [file = '', beside = ''] = files
  const read = await readWholeJson(join(root, file))
  if (read === undefined) return { session: undefined, skipped: [], offsets: {}, memo: null }
  const stored = read === 'damaged' ? undefined : asObject(read.value)
  if (stored === undefined) {
    const reason = 'The file is not valid JSON; it may be half-written.'
    return { session: undefined, skipped: [{ path: file, why: 'damaged', reason }], offsets: {}, memo: null }
  }
  const manifest = await readWholeJson(join(root, beside))
  const known = typeof manifest === 'object' ? asObject(manifest.value) : undefined
  const messages = asObjects(stored.messages)
  const outcomes = new Map(messages.flatMap(({ content }) => asObjects(content).flatMap(outcomeOf)))
  const started = isoTime(known?.started_at) ?? isoTime(stored.updated_at) ?? '1970-01-01T00:00:00.000Z'
  const [parent] = /^.+?(?=__)/.exec(key) ?? []
  const reading = harvestedSession(
    {
      client,
      id: key,
      kind: parent === undefined ? 'main' : 'subagent',
      parentId: parent ?? null,
      files: [file],
      projectDir: asWords(known?.workspace_root) ?? asWords(known?.cwd) ?? null,
      directory: asWords(known?.cwd) ?? null,
      titles: [['session', asWords(asObject(known?.metadata)?.title)]],
    },
    messages.flatMap((message) => messageEvents(message, isoTime(message.ts) ?? started, outcomes)),
  )
  return { ...reading, memo: null }
}

function messageEvents(message: JsonObject, at: string, outcomes: ReadonlyMap<unknown, boolean>): SessionEvent[] {
  const about = asObject(message.metadata)
  const parts =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : asObjects(message.content)
  const text = parts.flatMap((part) => (part.type === 'text' ? [asText(part.text) ?? ''] : [])).join('\n\n')
  if (about?.kind === 'compaction') return [{ kind: 'compacted', text, at }]
  // Program messages in the user's role.
  if (['system', 'status', 'error'].includes(String(about?.displayRole))) return []
  if (message.role === 'user') {
    const images = parts.filter((part) => part.type === 'image').length
    return [{ kind: 'user', text: humanText(text), at, ...(images > 0 ? { images } : {}) }]
  }
  if (message.role !== 'assistant') return []
  return parts.flatMap((part: JsonObject): SessionEvent[] => {
    if (part.type === 'text') return [{ kind: 'assistant', text: asText(part.text) ?? '', at }]
    if (part.type !== 'tool_use') return []
    const name = asWords(part.name) ?? 'unknown'
    return [{ kind: 'tool', name, ok: outcomes.get(part.id) ?? null, detail: detailOf(part.input) }]
  })
}

function humanText(text: string): string {
  const said = withoutTagged(text, 'mode_notice|file_content|environment_details').trim()
  const [, , typed] = /^<(user_input|user_command)(?:\s[^>]*)?>([\s\S]*)<\/\1>$/.exec(said) ?? []
  return typed ?? said
}

/** Outcomes in one part; a call may have several parts, each with an outcome. */
function outcomeOf(part: JsonObject): (readonly [unknown, boolean])[] {
  if (part.type !== 'tool_result') return []
  const isFailed = part.is_error === true || asObjects(part.content).some(({ success }) => success === false)
  return [[part.tool_use_id, !isFailed]]
}

function detailOf(input: unknown): string | undefined {
  const commands = asList(asObject(input)?.commands).filter((each) => typeof each === 'string')
  return callDetail(commands.length > 0 ? { command: commands.join('; ') } : input)
}
