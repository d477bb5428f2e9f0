import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import { asObject, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { SessionSource } from '../ledger.ts'

export interface LogSource extends SessionSource {
  readonly id: string
  readonly file: string
  /** Name of the session; its first prompt until a user names it. */
  readonly name: string | undefined
  readonly isNamedByUser: boolean
}

const FOLDER = 'session-state'

/** A folder per session with its log; a log alone before that. */
export async function listSessions(root: string): Promise<LogSource[]> {
  const found: LogSource[] = []
  for (const entry of await listFolder(join(root, FOLDER))) {
    const isFile = entry.endsWith('.jsonl')
    const file = isFile ? `${FOLDER}/${entry}` : `${FOLDER}/${entry}/events.jsonl`
    if (!isFile && !(await listFolder(join(root, FOLDER, entry))).includes('events.jsonl')) continue
    const facts = isFile ? {} : await workspaceFacts(join(root, FOLDER, entry, 'workspace.yaml'))
    const name = asWords(facts.name)
    const isNamedByUser = facts.user_named === true
    const id = isFile ? entry.slice(0, -'.jsonl'.length) : entry
    found.push({ key: file, files: [file], note: JSON.stringify([name, isNamedByUser]), id, file, name, isNamedByUser })
  }
  return found
}

async function workspaceFacts(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch(() => '')
  if (yamlExcess(text, CONFIG_BOUNDS) !== undefined) return {}
  try {
    return asObject(parse(text, { logLevel: 'error' })) ?? {}
  } catch {
    return {}
  }
}
