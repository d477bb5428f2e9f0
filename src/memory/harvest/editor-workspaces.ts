import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asObject, asText } from '../../kernel/system/json-value.ts'
import { listFolder } from '../../kernel/system/list-folder.ts'
import { readWholeJson } from './whole-json.ts'

/** The folder of each of an editor's workspaces, by the name of that workspace's folder in `workspaceStorage`. */
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

/** The folder that an editor recorded as `file:///…`; undefined for one on another machine, or if it is not a URI. */
export function folderOfUri(uri: string): string | undefined {
  const drive = /^file:\/\/\/([a-z])(?::|%3A)\//i.exec(uri)
  if (!uri.startsWith('file:///')) return undefined
  try {
    const path = fileURLToPath(uri, { windows: drive !== null })
    // Editors write the drive in lower case; the system reports it in upper case.
    return drive === null ? path : path.replace(/^[a-z]/, (letter) => letter.toUpperCase())
  } catch {
    return undefined
  }
}
