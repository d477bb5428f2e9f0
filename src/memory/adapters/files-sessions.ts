import { open, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writeAtomically } from '../../kernel/system/atomic-file.ts'
import { isAbsent } from '../../kernel/system/file-mark.ts'
import { freeSpace } from '../../kernel/system/free-space.ts'
import { listFolder } from '../../kernel/system/list-folder.ts'
import { parseSessionMarkdown, type SessionDocument } from '../domain/session/markdown.ts'
import type { ArchivedSession, SessionArchive } from '../ports/session-archive.ts'

export interface SessionFilesOptions {
  readonly root: string
  /** Free bytes on the disk of a folder. */
  freeSpace?(folder: string): Promise<number | undefined>
}

const OWN_NAME = /^\d{4}-\d\d-\d\d-[a-z0-9-]+-([0-9a-f]{12})\.md$/
const HALF_WRITTEN = /^\..+\.md\.[0-9a-f]+\.tmp$/
// Long enough for the frontmatter of nearly every session.
const HEAD = 4096

/** Harvested sessions, one Markdown file each. */
export function openSessionFiles({
  root,
  freeSpace: room = async (folder) => freeSpace(folder),
}: SessionFilesOptions): SessionArchive {
  const known = new Map<string, { readonly stamp: string; readonly session: ArchivedSession | undefined }>()

  async function look(path: string, fileId: string): Promise<ArchivedSession | undefined> {
    const found = await stat(join(root, path), { bigint: true }).catch(() => undefined)
    if (found === undefined) return undefined
    const stamp = `${found.ino} ${found.size} ${found.mtimeNs}`
    const before = known.get(path)
    if (before?.stamp === stamp) return before.session
    const facts = await readFacts(join(root, path)).catch(() => undefined)
    const session = facts && archived(facts, { path, fileId, bytes: Number(found.size) })
    known.set(path, { stamp, session })
    return session
  }

  return {
    root,
    async list() {
      const sessions: ArchivedSession[] = []
      const seen = new Set<string>()
      for (const workspace of await listFolder(root)) {
        for (const name of await listFolder(join(root, workspace))) {
          const fileId = OWN_NAME.exec(name)?.[1]
          const path = `${workspace}/${name}`
          const session = fileId && (await look(path, fileId))
          if (session) sessions.push(session)
          seen.add(path)
        }
      }
      for (const path of known.keys()) if (!seen.has(path)) known.delete(path)
      return sessions
    },
    read: (path) => readFile(join(root, path), 'utf8').catch(orUndefined),
    async write(path, text) {
      writeAtomically(join(root, path), text, 0o600)
    },
    async remove(paths) {
      const gone = new Set(paths)
      for (const workspace of await listFolder(root)) {
        const folder = join(root, workspace)
        const names = await listFolder(folder)
        const unwanted = names.filter((name) => gone.has(`${workspace}/${name}`) || HALF_WRITTEN.test(name))
        for (const name of unwanted) await rm(join(folder, name), { force: true })
        if (unwanted.length > 0) syncDirectory(folder)
        if (unwanted.length === names.length) await rmdir(folder).catch(() => undefined)
      }
    },
    freeSpace: () => room(root).catch(() => undefined),
  }
}

type Place = Pick<ArchivedSession, 'path' | 'fileId' | 'bytes'>

/** A file with an unreadable end is dated by the day in its name. */
function archived(facts: SessionDocument, place: Place): ArchivedSession {
  const { client, session, kind, parent, title, project, ended } = facts
  const day = place.path.slice(place.path.indexOf('/') + 1).slice(0, 10)
  return {
    ...place,
    client,
    session,
    kind,
    parent,
    title: title ?? '',
    project,
    ended: Number.isNaN(Date.parse(ended)) ? `${day}T00:00:00Z` : ended,
  }
}

async function readFacts(path: string) {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    const head = buffer.toString('utf8', 0, bytesRead)
    return parseSessionMarkdown(head.includes('\n---\n', 4) ? head : await readFile(path, 'utf8'))
  } finally {
    await file.close()
  }
}

function orUndefined(error: unknown): undefined {
  if (!isAbsent(error)) throw error
}
