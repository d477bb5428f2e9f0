import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ConversationTurn {
  readonly id: string
  /** Text as in the session file: speaker, text and image caption. */
  readonly text: string
  readonly isUser: boolean
}

/** A LoCoMo conversation: its sessions, oldest first, and questions with the turns that answer them. */
export interface Conversation {
  readonly sessions: readonly {
    readonly date: string
    /** ISO time; the set writes session times as "1:56 pm on 8 May, 2023". */
    readonly started: string
    readonly turns: readonly ConversationTurn[]
  }[]
  readonly questions: readonly { readonly text: string; readonly evidence: readonly string[] }[]
}

interface Sample {
  readonly conversation: Record<string, unknown>
  readonly qa: readonly { question: string; evidence?: string[] }[]
}

/** Undefined if the folder does not contain the set. */
export function readConversations(data: string): Conversation[] | undefined {
  const path = join(data, 'locomo', 'locomo10.json')
  if (!existsSync(path)) return undefined
  return (JSON.parse(readFileSync(path, 'utf8')) as Sample[]).map(conversationOf)
}

function conversationOf({ conversation, qa }: Sample): Conversation {
  const keys = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .toSorted((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
  const sessions = keys.map((key) => {
    const date = String(conversation[`${key}_date_time`])
    const turns = conversation[key] as { speaker: string; dia_id: string; text: string; blip_caption?: string }[]
    return {
      date,
      started: startOf(date),
      turns: turns.map(({ speaker, dia_id: id, text, blip_caption: caption }) => ({
        id,
        text: `${speaker}: ${text}${caption ? ` (${caption})` : ''}`,
        isUser: speaker === conversation['speaker_a'],
      })),
    }
  })
  const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)))
  const questions = qa.flatMap(({ question, evidence = [] }) => {
    const own = [...new Set(evidence.flatMap((id) => id.split(/[;\s]+/)))].filter((id) => known.has(id))
    return own.length === 0 ? [] : [{ text: question, evidence: own }]
  })
  return { sessions, questions }
}

/** Parses a time such as "1:56 pm on 8 May, 2023". */
function startOf(date: string): string {
  const [, hour = '0', minute = '0', half = 'am', day = '1', month = 'January', year = '2023'] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+),? (\d+)$/.exec(date.trim()) ?? []
  const clock = `${(Number(hour) % 12) + (half === 'pm' ? 12 : 0)}:${minute}`
  return new Date(`${day} ${month} ${year} ${clock} UTC`).toISOString()
}
