import { join } from 'node:path'
import { asObject, asObjects, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'
import type { Reading, Skip } from '../ledger.ts'
import { readWholeJson } from '../whole-json.ts'
import type { ChatSource } from './index.ts'
import { MutationLog } from './mutation-log.ts'
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
