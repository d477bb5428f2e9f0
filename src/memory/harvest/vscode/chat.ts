import { join } from 'node:path'
import { asObject, asObjects, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'
import type { Reading, Skip } from '../ledger.ts'
import { readWholeJson } from '../whole-json.ts'
import type { ChatSource } from './index.ts'
import { requestEvents } from './request-events.ts'

export const CLIENT = 'vscode'

export async function readChat(root: string, { key, file, projectDir }: ChatSource): Promise<Reading<null>> {
  const { chat, lines, badEntries } = file.endsWith('.jsonl') ? await replay(join(root, file)) : await whole(root, file)
  const offsets = lines ? { [file]: lines.offset } : {}
  if (chat === undefined) {
    // The file has only part of its first line: it is being written.
    const isBeginning = lines !== undefined && lines.badLines === 0
    const reason = lines ? 'The log has no beginning that can be read.' : 'The file is not valid JSON.'
    return { ...nothing(isBeginning ? [] : [{ path: file, why: 'damaged', reason }]), offsets }
  }
  const requests = asObjects(chat.requests)
  // A request that was undone stays in the chat until the next one is sent.
  const isUndone = (request: JsonObject): boolean => asObject(request.shouldBeRemovedOnSend) !== undefined
  const events = (some: readonly JsonObject[]) => some.flatMap((request) => requestEvents(request, chat.creationDate))
  const session = composeSession(
    {
      client: CLIENT,
      id: key,
      kind: 'main',
      parentId: null,
      files: [file],
      projectDir,
      badLines: (lines?.badLines ?? 0) + badEntries,
      partialTail: lines?.partialTail ?? false,
      titles: [['session', asWords(chat.customTitle) ?? asWords(chat.computedTitle)]],
    },
    {
      ...assembleTurns(events(requests.filter((request) => !isUndone(request)))),
      abandoned: assembleTurns(events(requests.filter(isUndone))).turns,
    },
  )
  if (session) return { session, skipped: [], offsets, memo: null }
  return { ...nothing([{ path: file, session: key, why: 'empty', reason: 'Nothing was said in it.' }]), offsets }
}

interface ReadChat {
  readonly chat: JsonObject | undefined
  readonly lines?: LinesRead
  /** JSON lines that cannot be applied. */
  readonly badEntries: number
}

async function replay(path: string): Promise<ReadChat> {
  const log = new MutationLog()
  let badEntries = 0
  const lines = await readJsonLines(path, (entry) => {
    if (!log.apply(entry)) badEntries += 1
  })
  return { chat: log.state(), lines, badEntries }
}

async function whole(root: string, file: string): Promise<ReadChat> {
  const read = await readWholeJson(join(root, file))
  return { chat: typeof read === 'object' ? asObject(read.value) : undefined, badEntries: 0 }
}

function nothing(skipped: readonly Skip[]): Omit<Reading<null>, 'offsets'> {
  return { session: undefined, skipped, memo: null }
}

const INITIAL = 0
const SET = 1
const PUSH = 2
const DELETE = 3
const LONGEST_PATH = 32

/**
 * A document written as its first state and the changes since. A change that does not fit the current state is ignored.
 */
export class MutationLog {
  #state: Record<string, unknown> | undefined

  state(): JsonObject | undefined {
    return this.#state
  }

  /** Returns false if the entry cannot be applied. */
  apply(entry: JsonObject): boolean {
    if (entry.kind === INITIAL) {
      const state = asObject(entry.v)
      if (state) this.#state = state as Record<string, unknown>
      return state !== undefined
    }
    const path = entry.k
    if (!Array.isArray(path) || path.length === 0 || path.length > LONGEST_PATH) return false
    const holder = this.#holderOf(path)
    const key = path.at(-1) as unknown
    if (holder === undefined || !isKeyOf(holder, key)) return false
    if (entry.kind === SET) holder[key] = entry.v
    else if (entry.kind === DELETE) holder[key] = undefined
    else return entry.kind === PUSH && push(holder, key, entry)
    return true
  }

  #holderOf(path: readonly unknown[]): Holder | undefined {
    let at: unknown = this.#state
    for (const part of path.slice(0, -1)) {
      if (!isHolder(at) || !isKeyOf(at, part) || !Object.hasOwn(at, part)) return undefined
      at = at[part]
    }
    return isHolder(at) ? at : undefined
  }
}

type Holder = Record<string | number, unknown>

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** Whether a key is valid: an index beyond the end would let one line create a list of any length. */
function isKeyOf(holder: Holder, key: unknown): key is string | number {
  if (Array.isArray(holder)) return Number.isInteger(key) && (key as number) >= 0 && (key as number) <= holder.length
  return typeof key === 'string' && key !== '__proto__'
}

/** Appends to a list, replacing everything from `i` on. */
function push(holder: Holder, key: string | number, { v, i }: JsonObject): boolean {
  const list = Object.hasOwn(holder, key) ? (holder[key] ?? []) : []
  if (!Array.isArray(list)) return false
  if (i !== undefined) {
    if (!Number.isInteger(i) || (i as number) < 0 || (i as number) > list.length) return false
    list.length = i as number
  }
  if (Array.isArray(v)) for (const item of v) list.push(item)
  holder[key] = list
  return true
}
