import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'

export interface StoredChat {
  /** Start as written by Aider: local time without a zone. */
  readonly started: string
  /** Number of earlier chats that began in the same second. */
  readonly twin: number
  readonly lines: readonly string[]
}

const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/

/** The chats of one history file; text before the first one is ignored. */
export function splitChats(text: string): readonly StoredChat[] {
  const chats: { started: string; twin: number; lines: string[] }[] = []
  const seen = new Map<string, number>()
  for (const line of text.split(/\r?\n/)) {
    const started = STARTED.exec(line)?.[1]
    if (started === undefined) {
      chats.at(-1)?.lines.push(line)
      continue
    }
    const twin = seen.get(started) ?? 0
    seen.set(started, twin + 1)
    chats.push({ started, twin, lines: [] })
  }
  return chats.filter(({ started }) => timeOf(started) !== undefined)
}

type Speaker = 'person' | 'aider' | 'assistant'

/** Events of a chat. The beginning of each line identifies its author, as when Aider reads the file. */
export function chatEvents({ started, lines }: StoredChat): SessionEvent[] {
  const at = timeOf(started) ?? ''
  const events: SessionEvent[] = []
  let speaker: Speaker | undefined
  let said: string[] = []
  const flush = (): void => {
    const text = said.join('\n').trim()
    said = []
    if (text === '') return
    if (speaker === 'assistant') events.push({ kind: 'assistant', text, at })
    else if (speaker === 'person' && isWords(text)) events.push({ kind: 'user', text, at })
  }
  for (const line of lines) {
    const next = speakerOf(line)
    if (next !== speaker) flush()
    speaker = next
    if (next === 'person') said.push(line.slice('#### '.length).trimEnd())
    else if (next === 'assistant') said.push(line)
    else events.push(...noticeEvents(line.slice('> '.length).trim()))
  }
  flush()
  return events
}

/** Aider ends each line that a person typed with two spaces; an answer may have a heading of the same level. */
function speakerOf(line: string): Speaker {
  if (line.startsWith('#### ') && line.endsWith('  ')) return 'person'
  return line.startsWith('> ') ? 'aider' : 'assistant'
}

/** Whether a prompt is conversation: commands are not, except those that ask a question. */
const isWords = (text: string): boolean =>
  text !== '<blank>' && (!text.startsWith('/') || /^\/(?:ask|code|architect|context)\s/.test(text))

/** Aider's actions, from notices beside the conversation. */
function noticeEvents(notice: string): SessionEvent[] {
  const [, path] = /^Applied edit to (.+)$/.exec(notice) ?? []
  if (path !== undefined) return [{ kind: 'tool', name: 'edit', ok: true, detail: callDetail({ path }) }]
  const [, command] = /^Running (.+)$/.exec(notice) ?? []
  if (command !== undefined) return [{ kind: 'tool', name: 'run', ok: null, detail: callDetail({ command }) }]
  return []
}

function timeOf(started: string): string | undefined {
  const time = new Date(started.replace(' ', 'T'))
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
