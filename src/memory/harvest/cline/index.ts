import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { asObjects, asWords, asObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { editorPlaces, VSCODE_FAMILY } from '../editor-places.ts'
import { harvestedSession } from '../harvested-session.ts'
import { HarvestLedger } from '../ledger.ts'
import type { Reading, SessionSource } from '../ledger.ts'
import { readWholeJson } from '../whole-json.ts'
import { messageEvents } from './messages.ts'
import { listSessions, readSession } from './session.ts'

/** Cline tasks in any editor of the VS Code family, and sessions in Cline's folder. */
export const cline = tasksOf('cline', [
  ...editorPlaces(VSCODE_FAMILY, 'globalStorage/saoudrizwan.claude-dev'),
  '.vscode-server/data/User/globalStorage/saoudrizwan.claude-dev',
  '.cline/data',
])

/** Roo Code tasks. Roo Code began as a fork of Cline. */
export const roo = tasksOf('roo-code', [
  ...editorPlaces(VSCODE_FAMILY, 'globalStorage/rooveterinaryinc.roo-cline'),
  '.vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline',
])

function tasksOf<const C extends string>(client: C, places: readonly string[]) {
  return defineHarvester({
    client,
    places,
    async *read(root, cursor): AsyncGenerator<HarvestEvent> {
      const ledger = new HarvestLedger<null>(root, `${client}/1`, cursor)
      for (const task of await listTasks(root)) {
        if (await ledger.changed(task)) yield* await ledger.settle(task, () => readTask(root, client, task))
      }
      for (const session of await listSessions(root)) {
        if (await ledger.changed(session)) yield* await ledger.settle(session, () => readSession(root, client, session))
      }
      yield ledger.cursor()
    },
  })
}

async function listTasks(root: string): Promise<StoredTask[]> {
  const folders = await readFolders(root)
  const ids = (await listFolder(join(root, 'tasks'))).filter((id) => /^[\w-]+$/.test(id))
  return ids.map((id) => ({
    key: id,
    files: [`tasks/${id}/ui_messages.json`, `tasks/${id}/history_item.json`],
    note: folders.get(id) ?? '',
    folder: folders.get(id),
  }))
}

/** The start folder of each task, from the task list. */
async function readFolders(root: string): Promise<ReadonlyMap<string, string>> {
  const read = await readWholeJson(join(root, 'state/taskHistory.json')).catch(() => undefined)
  const items = typeof read === 'object' ? asObjects(read.value) : []
  const known = items.map((item) => [asWords(item.id), asWords(item.cwdOnTaskInitialization)] as const)
  return new Map(known.flatMap(([id, folder]) => (id !== undefined && folder !== undefined ? [[id, folder]] : [])))
}

interface StoredTask extends SessionSource {
  readonly folder: string | undefined
}

async function readTask(root: string, client: string, { key, files, folder }: StoredTask): Promise<Reading<null>> {
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
  const reading = harvestedSession(
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

/** Start folder of a task from releases that did not record it, but sent it to the model with the first request. */
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
