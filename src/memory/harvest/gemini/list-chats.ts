import { join } from 'node:path'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { SessionSource } from '../ledger.ts'
import type { ProjectFolders } from './project-folders.ts'
import { readChatId } from './replay.ts'

export interface ChatSource extends SessionSource {
  /**
   * The file to read: resuming moves a chat from JSON to JSONL, renaming a project folder copies it; both leave the old
   * file.
   */
  readonly best: string
  readonly parentId: string | undefined
}

export const folderOf = (path: string): string => path.split('/')[1] ?? ''

/** `idOf` returns the session of a file that was read before. */
export async function listChats(
  root: string,
  projects: ProjectFolders,
  idOf: (path: string) => string | undefined,
): Promise<ChatSource[]> {
  const chats = new Map<string, string[]>()
  for (const path of await chatFiles(root)) {
    const id = idOf(path) ?? (await readChatId(join(root, path)).catch(() => undefined)) ?? path
    chats.set(id, [...(chats.get(id) ?? []), path])
  }
  return [...chats].map(([key, files]) => {
    const weight = (path: string): number =>
      (path.endsWith('.jsonl') ? 0 : 2) + (projects.directoryOf(folderOf(path)) === undefined ? 1 : 0)
    const [best = ''] = [...files].sort((a, b) => weight(a) - weight(b))
    const parentId = /\/chats\/([^/]+)\/[^/]+$/.exec(best)?.[1]
    return { key, files: files.sort(), best, parentId, note: projects.directoryOf(folderOf(best)) ?? '' }
  })
}

async function chatFiles(root: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of await listFolder(join(root, 'tmp'))) {
    const chats = `tmp/${folder}/chats`
    for (const name of await listFolder(join(root, chats))) {
      if (/^session-.*\.jsonl?$/.test(name)) found.push(`${chats}/${name}`)
      if (name.includes('.')) continue
      const agents = await listFolder(join(root, chats, name))
      found.push(...agents.filter((agent) => /\.jsonl?$/.test(agent)).map((agent) => `${chats}/${name}/${agent}`))
    }
  }
  return found
}
