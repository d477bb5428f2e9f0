import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { asObject, asObjects, asWords } from '../../../kernel/system/json-value.ts'
import type { Reading, SessionSource } from '../ledger.ts'
import { toldSession } from '../told-session.ts'
import { readWholeJson } from '../whole-json.ts'
import { messageEvents } from './messages.ts'

export interface StoredTask extends SessionSource {
  readonly folder: string | undefined
}

export async function readTask(
  root: string,
  client: string,
  { key, files, folder }: StoredTask,
): Promise<Reading<null>> {
  const [file = '', item = ''] = files
  const read = await readWholeJson(join(root, file))
  if (read === undefined) return { session: undefined, skipped: [], offsets: {}, memo: null }
  if (read === 'damaged' || !Array.isArray(read.value)) {
    const reason = 'The file is not valid JSON; it may be half-written.'
    return { session: undefined, skipped: [{ path: file, why: 'damaged', reason }], offsets: {}, memo: null }
  }
  const history = await readWholeJson(join(root, item))
  const known = typeof history === 'object' ? asObject(history.value) : undefined
  const parent = asWords(known?.parentTaskId) ?? null
  const reading = toldSession(
    {
      client,
      id: key,
      kind: parent === null ? 'main' : 'subagent',
      parentId: parent,
      files: [file],
      projectDir: asWords(known?.workspace) ?? folder ?? (await folderToldToModel(root, key)) ?? null,
      titles: [['session', asWords(known?.title)]],
    },
    asObjects(read.value).flatMap(messageEvents),
  )
  return { ...reading, memo: null }
}

const HEAD = 256 * 1024
const FOLDER = /# Current (?:Working|Workspace) Directory \(((?:[^"\\]|\\["\\/]){1,4096}?)\) Files\\n/

/** Releases that did not record a task's folder sent it to the model with the first request. */
async function folderToldToModel(root: string, id: string): Promise<string | undefined> {
  const file = await open(join(root, 'tasks', id, 'api_conversation_history.json'), 'r').catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    const text = buffer.toString('utf8', 0, bytesRead)
    const details = text.indexOf('<environment_details>')
    const found = details === -1 ? undefined : FOLDER.exec(text.slice(details))?.[1]
    return found === undefined ? undefined : asWords(JSON.parse(`"${found}"`))
  } finally {
    await file.close()
  }
}
