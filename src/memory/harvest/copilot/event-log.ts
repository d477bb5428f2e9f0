import { asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { exitCodeOf } from '../../domain/session/exit-code.ts'
import { isoTime } from '../../domain/session/session.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'
import { ToolUses } from '../tool-uses.ts'

export interface EventLog {
  readonly said: readonly SessionEvent[]
  readonly rewound: readonly SessionEvent[]
  readonly agents: readonly Agent[]
  readonly facts: Facts
  readonly lines: LinesRead
}

/** A sub-agent whose events are among the session's events. */
export interface Agent {
  readonly id: string
  readonly task: string | undefined
  readonly said: readonly SessionEvent[]
}

/** Facts from the first event that has them. */
interface Facts {
  readonly cwd?: string | undefined
  readonly gitRoot?: string | undefined
  readonly branch?: string | undefined
  readonly repository?: string | undefined
  readonly version?: string | undefined
}

export async function readEventLog(path: string): Promise<EventLog> {
  const reader = new EventReader()
  const lines = await readJsonLines(
    path,
    (record) => reader.take(record),
    (prefix) => NOTHING_SAID.test(prefix),
  )
  return { ...reader.log(), lines }
}

// Most of the bytes: instructions to the model, hook input, token counts.
const NOTHING_SAID = /^\{"type": ?"(?:system\.message|hook\.|session\.usage_record|session\.shutdown)/

class EventReader {
  readonly #main: { readonly id: string; readonly said: readonly SessionEvent[] }[] = []
  readonly #rewound: SessionEvent[] = []
  readonly #agents = new Map<string, { task: string | undefined; readonly said: SessionEvent[] }>()
  readonly #facts: { -readonly [Name in keyof Facts]: Facts[Name] } = {}
  readonly #uses = new ToolUses()
  #at = '1970-01-01T00:00:00.000Z'

  take(record: JsonObject): void {
    const data = asObject(record.data) ?? {}
    this.#at = isoTime(record.timestamp) ?? this.#at
    if (record.type === 'session.start' || record.type === 'session.resume') this.#note(data)
    if (record.type === 'session.snapshot_rewind') return this.#rewind(asText(data.upToEventId))
    // Before sub-agents had ids, the call that started them identified them.
    const agent = asWords(record.agentId) ?? asWords(data.parentToolCallId)
    if (agent === undefined) this.#main.push({ id: asText(record.id) ?? '', said: this.#saidIn(record, data, isHuman) })
    else this.#takeAgent(agent, record, data)
  }

  log(): Omit<EventLog, 'lines'> {
    return {
      said: this.#main.flatMap(({ said }) => said),
      rewound: this.#rewound,
      agents: [...this.#agents].map(([id, agent]) => ({ id, ...agent })),
      facts: this.#facts,
    }
  }

  #note(data: JsonObject): void {
    const context = asObject(data.context)
    for (const name of ['cwd', 'gitRoot', 'branch', 'repository'] as const)
      this.#facts[name] ??= asWords(context?.[name])
    this.#facts.version ??= asWords(data.copilotVersion)
  }

  #takeAgent(id: string, record: JsonObject, data: JsonObject): void {
    const agent = this.#agents.get(id) ?? { task: undefined, said: [] }
    this.#agents.set(id, agent)
    if (record.type === 'subagent.started')
      agent.task = asWords(data.agentDescription) ?? asWords(data.agentDisplayName)
    agent.said.push(...this.#saidIn(record, data, () => true))
  }

  /** Removes a rewound event and all later ones; if the client truncated its log, there is nothing to remove. */
  #rewind(id: string | undefined): void {
    const from = this.#main.findIndex((each) => each.id === id)
    if (from !== -1) this.#rewound.push(...this.#main.splice(from).flatMap(({ said }) => said))
  }

  #saidIn(record: JsonObject, data: JsonObject, isSaid: (data: JsonObject) => boolean): readonly SessionEvent[] {
    const at = this.#at
    switch (record.type) {
      case 'user.message':
        return isSaid(data) ? [userSaid(data, at)] : []
      case 'assistant.message': {
        const calls = asObjects(data.toolRequests)
        return [
          { kind: 'assistant', at, text: asText(data.content) ?? '' },
          ...calls.map((call) => this.#uses.use(asText(call.toolCallId), asWords(call.name), call.arguments)),
        ]
      }
      case 'tool.execution_start':
        // A command run by the user has no requesting message.
        if (this.#uses.nameOf(asText(data.toolCallId)) !== undefined) return []
        return [this.#uses.use(asText(data.toolCallId), asWords(data.toolName), data.arguments)]
      case 'tool.execution_complete':
        this.#uses.settle(
          asText(data.toolCallId),
          isSuccess(data, this.#uses.nameOf(asText(data.toolCallId))),
          asText(asObject(data.error)?.message) ?? asText(asObject(data.result)?.content) ?? '',
        )
        return []
      case 'abort':
        return [{ kind: 'aborted' }]
      case 'session.compaction_complete':
        return [{ kind: 'compacted', at, text: asText(data.summaryContent) ?? '' }]
      default:
        return []
    }
  }
}

/** Whether a person wrote the message: those from skills, schedules and the client name their source. */
const isHuman = ({ source }: JsonObject): boolean => source === undefined || source === 'user'

/** `content` is the typed text; `transformedContent` has the time, reminders and hook context around it. */
function userSaid(data: JsonObject, at: string): SessionEvent {
  const attachments = asObjects(data.attachments)
  return {
    kind: 'user',
    at,
    text: asText(data.content) ?? '',
    queued: data.delivery !== undefined && data.delivery !== 'idle',
    images: attachments.filter(({ mimeType }) => asText(mimeType)?.startsWith('image/')).length,
    files: attachments.flatMap((file) => asWords(file.path) ?? asWords(file.filePath) ?? []),
  }
}

/** A failed command is still a completed call; its exit code is beside the result, or below its text. */
function isSuccess(data: JsonObject, tool = ''): boolean {
  if (data.success === false) return false
  const beside = asObject(data.shellExecution)?.exitCode
  const below = SHELL.test(tool) ? exitCodeOf(asText(asObject(data.result)?.content) ?? '') : undefined
  return (beside ?? below ?? 0) === 0
}

const SHELL = /bash|shell/
