import { readFile } from 'node:fs/promises'
import {
  asObject,
  asObjects,
  asText,
  asWords,
  type JsonObject,
  parseObject,
} from '../../../kernel/system/json-value.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'

export interface Chat {
  readonly header: JsonObject
  readonly summary: string | undefined
  /** Every message that was not rewound, with its first time and its last content. */
  readonly messages: readonly JsonObject[]
  readonly rewound: readonly JsonObject[]
  /** Undefined for a chat in one JSON document. */
  readonly lines: LinesRead | undefined
}

/** Undefined if a JSON document is incomplete or otherwise damaged. */
export async function readChat(path: string): Promise<Chat | undefined> {
  const replay = new Replay()
  if (path.endsWith('.jsonl')) {
    const lines = await readJsonLines(path, (record) => replay.take(record))
    return replay.chat(lines)
  }
  const document = parseObject(await readFile(path, 'utf8'))
  if (document === undefined) return undefined
  replay.take(document)
  return replay.chat(undefined)
}

/** Session id; does not read the rest. */
export async function readChatId(path: string): Promise<string | undefined> {
  if (!path.endsWith('.jsonl')) return asWords((await readChat(path))?.header.sessionId)
  let id: string | undefined
  await readJsonLines(path, (record) => {
    id = asWords(record.sessionId)
    return id !== undefined
  })
  return id
}

/**
 * Replays the log, except that a checkpoint never removes anything: compressing writes one too, and memory keeps
 * everything.
 */
class Replay {
  #header: JsonObject | undefined
  #summary: string | undefined
  readonly #messages = new Map<string, JsonObject>()
  readonly #rewound: JsonObject[] = []

  take(record: JsonObject): void {
    const set = asObject(record.$set)
    const rewindTo = asText(record.$rewindTo)
    if (set) this.#set(set)
    else if (rewindTo !== undefined) this.#rewind(rewindTo)
    else if (asText(record.id) !== undefined && asText(record.type) !== undefined) this.#keep(record)
    else if (asText(record.sessionId) !== undefined) {
      this.#header ??= record
      this.#set(record)
    }
  }

  chat(lines: LinesRead | undefined): Chat {
    return {
      header: this.#header ?? {},
      summary: this.#summary,
      messages: [...this.#messages.values()],
      rewound: this.#rewound,
      lines,
    }
  }

  #set(set: JsonObject): void {
    this.#summary = asWords(set.summary) ?? this.#summary
    for (const message of asObjects(set.messages)) this.#keep(message)
  }

  /**
   * Adds or updates a message, which is written again after its tools have finished and gets a new time at every
   * resume: the first time is the true one.
   */
  #keep(message: JsonObject): void {
    const id = asText(message.id)
    if (id === undefined) return
    const before = this.#messages.get(id)
    this.#messages.set(id, before ? { ...before, ...message, timestamp: before.timestamp } : message)
  }

  #rewind(id: string): void {
    const ids = [...this.#messages.keys()]
    const from = ids.indexOf(id)
    if (from === -1) return
    for (const each of ids.slice(from)) {
      this.#rewound.push(this.#messages.get(each)!)
      this.#messages.delete(each)
    }
  }
}
