import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionMemory, SessionTrace, TracedMessage } from '../ports/session-memory.ts'

const LIFETIME = 7 * 24 * 3600 * 1000
const MOST_SESSIONS = 500
const MOST_SHOWN = 200

/** One small file per session. Not synced to disk: a hook must be fast, and nothing depends on it. */
export function openSessionMemoryFiles(folder: string, now: () => Date): SessionMemory {
  const fileOf = (session: string) =>
    join(folder, `${/^[\w-]{1,80}$/.test(session) ? session : createHash('sha256').update(session).digest('hex')}.json`)
  return {
    async recall(session) {
      try {
        return toTrace(JSON.parse(readFileSync(fileOf(session), 'utf8')))
      } catch {
        return { shown: [], openedAt: undefined }
      }
    },
    async remember(session, trace) {
      const file = fileOf(session)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (!existsSync(file)) forgetOld(folder, now().getTime())
      const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`
      writeFileSync(temporary, JSON.stringify({ ...trace, shown: trace.shown.slice(-MOST_SHOWN) }), { mode: 0o600 })
      renameSync(temporary, file)
    },
  }
}

function toTrace(value: unknown): SessionTrace {
  const { shown, openedAt, opening, isPageDue, messages, isAsked } = value as Readonly<
    Record<keyof SessionTrace, unknown>
  >
  const { client, source } = (opening ?? {}) as { client?: unknown; source?: unknown }
  return {
    shown: Array.isArray(shown) ? shown.filter((key) => typeof key === 'string') : [],
    openedAt: typeof openedAt === 'string' ? openedAt : undefined,
    ...(typeof client === 'string' && typeof source === 'string' && { opening: { client, source } }),
    ...(isPageDue === true && { isPageDue }),
    ...(Array.isArray(messages) && { messages: messages.filter(isMessage) }),
    ...(isAsked === true && { isAsked }),
  }
}

function isMessage(value: unknown): value is TracedMessage {
  const { role, text, at } = (value ?? {}) as Readonly<Record<keyof TracedMessage, unknown>>
  return (role === 'user' || role === 'assistant') && typeof text === 'string' && typeof at === 'string'
}

function forgetOld(folder: string, now: number): void {
  const files = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }))
  const oldest = files.sort((a, b) => a.at - b.at)
  const tooMany = Math.max(0, oldest.length + 1 - MOST_SESSIONS)
  for (const [at, file] of oldest.entries())
    if (at < tooMany || now - file.at > LIFETIME) rmSync(file.path, { force: true })
}
