import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asWords, parseObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { SessionSource } from '../ledger.ts'

export interface ChatSource extends SessionSource {
  readonly id: string
  /** The session that started it, if it is a sub-agent. */
  readonly parentId: string | undefined
  /** A sub-agent's task, from the small file beside it. */
  readonly sideTitle: string | undefined
}

export async function listChats(root: string): Promise<ChatSource[]> {
  const found: ChatSource[] = []
  for (const project of await listFolder(join(root, 'projects'))) {
    const folder = `projects/${project}`
    for (const id of await logsIn(root, `${folder}/chats`)) {
      const key = `${folder}/chats/${id}.jsonl`
      found.push({ key, files: [key], note: '', id, parentId: undefined, sideTitle: undefined })
    }
    for (const parentId of await listFolder(join(root, folder, 'subagents'))) {
      const agents = `${folder}/subagents/${parentId}`
      for (const agent of await logsIn(root, agents)) {
        const key = `${agents}/${agent}.jsonl`
        const sideTitle = await description(join(root, agents, `${agent}.meta.json`))
        found.push({ key, files: [key], note: sideTitle ?? '', id: `${parentId}/${agent}`, parentId, sideTitle })
      }
    }
  }
  return found
}

async function logsIn(root: string, folder: string): Promise<string[]> {
  const names = await listFolder(join(root, folder))
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))
}

async function description(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return asWords(parseObject(text)?.description)
}
