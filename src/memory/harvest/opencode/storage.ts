import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsent, statFile } from '../../../kernel/system/file-mark.ts'
import { asObject, asWords, type JsonObject, parseObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import type { Skip } from '../ledger.ts'
import {
  type Loaded,
  revertOf,
  type StoredMessage,
  type StoredPart,
  type StoredSession,
  withoutToolData,
} from './stored-session.ts'

/** Layout of a session as JSON files in one client generation. */
interface Layout {
  readonly id: string
  readonly file: string
  readonly projectId: string | undefined
  readonly messages: string
  parts(message: string): string
}

/**
 * Sessions stored as JSON files, and unreadable session files. `isWanted` skips those that another storage has in
 * better form.
 */
export async function listStorage(
  root: string,
  isWanted: (id: string) => boolean,
): Promise<{ sessions: StoredSession[]; damaged: Skip[] }> {
  const worktrees = await readWorktrees(root)
  const sessions: StoredSession[] = []
  const damaged: Skip[] = []
  for (const layout of await listLayouts(root)) {
    if (!isWanted(layout.id)) continue
    const info = await readJson(root, layout.file, damaged)
    if (info) sessions.push(await storedSession(root, layout, { info, worktrees }))
  }
  return { sessions, damaged }
}

async function listLayouts(root: string): Promise<Layout[]> {
  const found: Layout[] = []
  for (const projectId of await listFolder(join(root, 'storage/session'))) {
    for (const id of await idsIn(root, `storage/session/${projectId}`)) {
      const file = `storage/session/${projectId}/${id}.json`
      found.push({
        id,
        file,
        projectId,
        messages: `storage/message/${id}`,
        parts: (message) => `storage/part/${message}`,
      })
    }
  }
  for (const project of await listFolder(join(root, 'project'))) {
    const base = `project/${project}/storage/session`
    for (const id of await idsIn(root, `${base}/info`)) {
      const file = `${base}/info/${id}.json`
      found.push({
        id,
        file,
        projectId: undefined,
        messages: `${base}/message/${id}`,
        parts: (message) => `${base}/part/${id}/${message}`,
      })
    }
  }
  return found
}

interface Known {
  readonly info: JsonObject
  readonly worktrees: ReadonlyMap<string, string>
}

async function storedSession(root: string, layout: Layout, { info, worktrees }: Known): Promise<StoredSession> {
  const time = asObject(info.time)
  const worktree = layout.projectId === undefined ? undefined : worktrees.get(layout.projectId)
  return {
    id: layout.id,
    parentId: asWords(info.parentID),
    worktree,
    directory: asWords(info.directory),
    title: asWords(info.title),
    version: asWords(info.version),
    created: Number(time?.created ?? 0),
    isArchived: (time?.archived ?? null) !== null,
    revert: revertOf(asObject(info.revert)),
    file: layout.file,
    database: null,
    fingerprint: await fingerprint(root, layout, worktree ?? ''),
    load: () => load(root, layout),
  }
}

/** Fingerprint over all message and part files, because every one may be rewritten while an answer streams in. */
async function fingerprint(root: string, layout: Layout, worktree: string): Promise<string> {
  const paths = [layout.file]
  for (const message of await idsIn(root, layout.messages)) {
    const parts = await idsIn(root, layout.parts(message))
    paths.push(`${layout.messages}/${message}.json`, ...parts.map((part) => `${layout.parts(message)}/${part}.json`))
  }
  const stats = await Promise.all(paths.map((path) => statFile(join(root, path))))
  return createHash('sha256')
    .update(JSON.stringify([worktree, paths, stats]))
    .digest('hex')
    .slice(0, 16)
}

async function load(root: string, layout: Layout): Promise<Loaded> {
  const skipped: Skip[] = []
  const messages: StoredMessage[] = []
  for (const id of await idsIn(root, layout.messages)) {
    const info = await readJson(root, `${layout.messages}/${id}.json`, skipped)
    if (!info) continue
    const parts: StoredPart[] = []
    for (const partId of await idsIn(root, layout.parts(id))) {
      const part = await readJson(root, `${layout.parts(id)}/${partId}.json`, skipped)
      if (part) parts.push({ id: partId, part: withoutToolData(part) })
    }
    messages.push({ id, info, parts })
  }
  return { messages, skipped }
}

/** Undefined for a half-written or otherwise damaged file, which is recorded, and for one deleted meanwhile. */
async function readJson(root: string, path: string, damaged: Skip[]): Promise<JsonObject | undefined> {
  try {
    const read = parseObject(await readFile(join(root, path), 'utf8'))
    if (read === undefined)
      damaged.push({ path, why: 'damaged', reason: 'The file is not valid JSON; it may be half-written.' })
    return read
  } catch (error) {
    if (isAbsent(error)) return undefined
    damaged.push({
      path,
      why: 'unreadable',
      reason: `The file cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    })
    return undefined
  }
}

async function readWorktrees(root: string): Promise<ReadonlyMap<string, string>> {
  const worktrees = new Map<string, string>()
  for (const id of await idsIn(root, 'storage/project')) {
    const worktree = asWords((await readJson(root, `storage/project/${id}.json`, []))?.worktree)
    if (worktree !== undefined) worktrees.set(id, worktree)
  }
  return worktrees
}

async function idsIn(root: string, folder: string): Promise<string[]> {
  const names = await listFolder(join(root, folder))
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
}
