import { join } from 'node:path'
import { asObjects, asWords } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { editorPlaces, VSCODE_FAMILY } from '../editor-places.ts'
import { HarvestLedger } from '../ledger.ts'
import { readWholeJson } from '../whole-json.ts'
import { listSessions, readSession } from './session.ts'
import { readTask, type StoredTask } from './task.ts'

/** Cline tasks in any editor of the VS Code family, and its sessions in its own folder. */
export const cline = tasksOf('cline', [
  ...editorPlaces(VSCODE_FAMILY, 'globalStorage/saoudrizwan.claude-dev'),
  '.vscode-server/data/User/globalStorage/saoudrizwan.claude-dev',
  '.cline/data',
])

/** Roo Code tasks; it began as Cline. */
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
