import { join } from 'node:path'
import { asObject, asText } from '../../kernel/system/json-value.ts'
import { listFolder } from '../../kernel/system/list-folder.ts'
import { folderOfUri } from './folder-of-uri.ts'
import { readWholeJson } from './whole-json.ts'

/** The folder of each of an editor's workspaces, by the name of its folder in `workspaceStorage`. */
export async function readWorkspaces(root: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const id of await listFolder(join(root, 'workspaceStorage'))) {
    const read = await readWholeJson(join(root, 'workspaceStorage', id, 'workspace.json')).catch(() => undefined)
    const uri = typeof read === 'object' ? asText(asObject(read.value)?.folder) : undefined
    const folder = uri === undefined ? undefined : folderOfUri(uri)
    if (folder !== undefined) found.set(id, folder)
  }
  return found
}
