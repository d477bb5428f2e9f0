import { join } from 'node:path'
import { asText, asWords } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { readJsonLines } from '../jsonl-lines.ts'
import type { SessionSource } from '../ledger.ts'

export interface RolloutSource extends SessionSource {
  /** The file to read if a thread is in more than one: archiving and compression leave copies for a while. */
  readonly best: string
  /** The name the user gave the thread. */
  readonly name: string | undefined
}

const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/
const THREAD_ID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl/i

export async function listRollouts(root: string): Promise<RolloutSource[]> {
  const names = await threadNames(root)
  const threads = new Map<string, string[]>()
  for (const path of [
    ...(await rolloutsBelow(root, 'sessions', 3)),
    ...(await rolloutsBelow(root, 'archived_sessions', 0)),
  ]) {
    const id = THREAD_ID.exec(path)?.[1] ?? path
    threads.set(id, [...(threads.get(id) ?? []), path])
  }
  return [...threads].map(([key, files]) => {
    const [best = ''] = [...files].sort((a, b) => weight(a) - weight(b))
    return { key, files: files.sort(), best, name: names.get(key), note: names.get(key) ?? '' }
  })
}

export const isArchived = (path: string): boolean => path.startsWith('archived_sessions/')

const weight = (path: string): number => (isArchived(path) ? 2 : 0) + (path.endsWith('.zst') ? 1 : 0)

async function rolloutsBelow(root: string, folder: string, depth: number): Promise<string[]> {
  const names = await listFolder(join(root, folder))
  if (depth === 0) return names.filter((name) => ROLLOUT.test(name)).map((name) => `${folder}/${name}`)
  const below = await Promise.all(names.map((name) => rolloutsBelow(root, `${folder}/${name}`, depth - 1)))
  return below.flat()
}

/** Append-only: the last line about a thread holds its name. */
async function threadNames(root: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const index = join(root, 'session_index.jsonl')
  await readJsonLines(index, (line) => {
    const [id, name] = [asText(line.id), asWords(line.thread_name)]
    if (id !== undefined && name !== undefined) names.set(id, name)
  }).catch(() => undefined)
  return names
}
