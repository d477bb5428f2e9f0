import { join } from 'node:path'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { editorPlaces } from '../editor-places.ts'
import { readWorkspaces } from '../editor-workspaces.ts'
import { HarvestLedger, type SessionSource } from '../ledger.ts'
import { CLIENT, readChat } from './chat.ts'

const PRODUCTS = ['Code', 'Code - Insiders', 'VSCodium']

/**
 * VS Code chats, including Copilot Chat: a log of changes per chat, or in earlier releases one JSON document per chat.
 */
export const vscode = defineHarvester({
  client: CLIENT,
  places: [...editorPlaces(PRODUCTS), '.vscode-server/data/User'],
  async *read(root, cursor): AsyncGenerator<HarvestEvent> {
    const ledger = new HarvestLedger<null>(root, `${CLIENT}/1`, cursor)
    for (const chat of await listChats(root)) {
      if (await ledger.changed(chat)) yield* await ledger.settle(chat, () => readChat(root, chat))
    }
    yield ledger.cursor()
  },
})

export interface ChatSource extends SessionSource {
  readonly file: string
  readonly projectDir: string | null
}

/** A chat that was begun in a window without a folder is copied into the workspace that the window becomes. */
async function listChats(root: string): Promise<ChatSource[]> {
  const workspaces = await readWorkspaces(root)
  const folders: (readonly [folder: string, projectDir: string | null])[] = []
  for (const id of await listFolder(join(root, 'workspaceStorage')))
    folders.push([`workspaceStorage/${id}/chatSessions`, workspaces.get(id) ?? null])
  folders.push(['globalStorage/emptyWindowChatSessions', null])
  const found = new Map<string, ChatSource>()
  for (const [folder, projectDir] of folders)
    for (const name of await listFolder(join(root, folder))) {
      const [, id, ending] = /^([\w-]+)\.(jsonl?)$/.exec(name) ?? []
      if (id === undefined) continue
      const known = found.get(id)
      // The document remains when a chat continues as a log.
      const isBetter =
        known === undefined ||
        (known.projectDir === null && projectDir !== null) ||
        (known.projectDir === projectDir && ending === 'jsonl')
      const file = `${folder}/${name}`
      if (isBetter) found.set(id, { key: id, file, files: [file], note: projectDir ?? '', projectDir })
    }
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}
