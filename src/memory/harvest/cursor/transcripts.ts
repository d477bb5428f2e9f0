import { join } from 'node:path'
import { statFile } from '../../../kernel/system/file-mark.ts'
import { asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { type SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isoTime } from '../../domain/session/session.ts'
import type { DatabaseMemo } from '../database-sessions.ts'
import { harvestedSession } from '../harvested-session.ts'
import { readJsonLines } from '../jsonl-lines.ts'
import type { Reading } from '../ledger.ts'
import { readWholeJson } from '../whole-json.ts'
import { CLIENT } from './composers.ts'
import { humanText, promptTime } from './human-text.ts'

export interface Transcript {
  readonly id: string
  readonly file: string
  readonly chat: Chat
}

interface Chat {
  readonly cwd: string | null
  readonly title: string | null
  readonly created: string
  readonly updated: string
}

/**
 * The transcripts of chats kept by `cursor-agent`: their `meta.json` has folder and times, which transcripts lack.
 * Transcripts written by the editor duplicate its database.
 */
export async function listTranscripts(root: string): Promise<Transcript[]> {
  const chats = await readChats(root)
  const found = new Map<string, Transcript>()
  for (const project of await listFolder(join(root, 'projects'))) {
    const folder = `projects/${project}/agent-transcripts`
    for (const name of await listFolder(join(root, folder))) {
      const id = name.replace(/\.jsonl$/, '')
      const chat = chats.get(id)
      const file = id === name ? `${folder}/${id}/${id}.jsonl` : `${folder}/${name}`
      if (chat && (await statFile(join(root, file)))) found.set(id, { id, file, chat })
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function readChats(root: string): Promise<ReadonlyMap<string, Chat>> {
  const chats = new Map<string, Chat>()
  for (const hash of await listFolder(join(root, 'chats')))
    for (const id of await listFolder(join(root, 'chats', hash))) {
      const read = await readWholeJson(join(root, 'chats', hash, id, 'meta.json')).catch(() => undefined)
      const meta = typeof read === 'object' ? asObject(read.value) : undefined
      const created = isoTime(meta?.createdAtMs)
      if (meta === undefined || created === undefined) continue
      chats.set(id, {
        cwd: asWords(meta.cwd) ?? null,
        title: asWords(meta.title) ?? null,
        created,
        updated: isoTime(meta.updatedAtMs) ?? created,
      })
    }
  return chats
}

export async function readTranscript(root: string, { id, file, chat }: Transcript): Promise<Reading<DatabaseMemo>> {
  const events: SessionEvent[] = []
  let at = chat.created
  const lines = await readJsonLines(join(root, file), (record) => {
    at = laterTime(record, at)
    events.push(...eventsOf(record, { at, until: chat.updated }))
  })
  const reading = harvestedSession(
    {
      client: CLIENT,
      id,
      kind: 'main',
      parentId: null,
      files: [file],
      projectDir: chat.cwd,
      badLines: lines.badLines,
      partialTail: lines.partialTail,
      titles: [['session', chat.title ?? undefined]],
    },
    events,
  )
  return { ...reading, offsets: { [file]: lines.offset }, memo: { database: null } }
}

const textsOf = (record: JsonObject): string[] =>
  asObjects(asObject(record.message)?.content).flatMap((part) =>
    part.type === 'text' ? [asText(part.text) ?? ''] : [],
  )

function laterTime(record: JsonObject, at: string): string {
  const told = record.role === 'user' ? promptTime(textsOf(record).join('\n')) : undefined
  return told !== undefined && told > at ? told : at
}

/** Events of a record; transcripts do not include tool outcomes. */
function eventsOf(record: JsonObject, { at, until }: { at: string; until: string }): SessionEvent[] {
  if (record.role === 'user') return [{ kind: 'user', text: humanText(textsOf(record).join('\n\n')), at }]
  if (record.role !== 'assistant')
    return record.type === 'turn_ended' && record.status === 'aborted' ? [{ kind: 'aborted' }] : []
  return asObjects(asObject(record.message)?.content).flatMap((part): SessionEvent[] => {
    if (part.type === 'text') return [{ kind: 'assistant', text: asText(part.text) ?? '', at, until }]
    return part.type === 'tool_use'
      ? [{ kind: 'tool', name: asWords(part.name) ?? 'unknown', ok: null, detail: callDetail(part.input) }]
      : []
  })
}
