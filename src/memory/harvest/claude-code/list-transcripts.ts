import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asWords, parseObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { SessionSource } from '../ledger.ts'

export interface TranscriptSource extends SessionSource {
  /** The session id; undefined for an older sub-agent stored beside its parent, which is named only in the records. */
  readonly id: string | undefined
  readonly agent: string | undefined
  readonly parentId: string | undefined
  /** Title from the small file beside the transcript: the user's title of a session, or a sub-agent's task. */
  readonly sideTitle: string | undefined
}

export async function listTranscripts(root: string): Promise<TranscriptSource[]> {
  const found: TranscriptSource[] = []
  for (const project of await listFolder(join(root, 'projects'))) {
    const folder = `projects/${project}`
    const names = new Set(await listFolder(join(root, folder)))
    for (const name of names) {
      if (!name.endsWith('.jsonl')) continue
      const stem = name.slice(0, -'.jsonl'.length)
      const title = names.has(stem)
        ? await sideField(join(root, folder, stem, 'custom-title.json'), 'customTitle')
        : undefined
      const isAgent = stem.startsWith('agent-')
      found.push(
        source(`${folder}/${name}`, title, {
          id: isAgent ? undefined : stem,
          agent: isAgent ? stem : undefined,
          parentId: undefined,
        }),
      )
    }
    for (const name of names) if (!name.includes('.')) found.push(...(await listAgents(root, folder, name)))
  }
  return found
}

async function listAgents(root: string, project: string, parentId: string): Promise<TranscriptSource[]> {
  const folder = `${project}/${parentId}/subagents`
  const names = await listFolder(join(root, folder))
  const agents = names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))
  return Promise.all(
    agents.map(async (agent) => {
      const title = names.includes(`${agent}.meta.json`)
        ? await sideField(join(root, folder, `${agent}.meta.json`), 'description')
        : undefined
      return source(`${folder}/${agent}.jsonl`, title, { id: `${parentId}/${agent}`, agent, parentId })
    }),
  )
}

function source(
  path: string,
  sideTitle: string | undefined,
  who: Pick<TranscriptSource, 'id' | 'agent' | 'parentId'>,
): TranscriptSource {
  return { key: path, files: [path], note: sideTitle ?? '', sideTitle, ...who }
}

async function sideField(path: string, field: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return asWords(parseObject(text)?.[field])
}
