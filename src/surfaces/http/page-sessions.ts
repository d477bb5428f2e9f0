import { createHash, randomBytes } from 'node:crypto'
import { browserName } from '../../kernel/domain/browser-name.ts'
import type { Browsers } from '../../kernel/ports/browsers.ts'

/** The session of a signed-in browser: a cookie that scripts cannot read, and a key that is not sent to other ports. */
export interface PageSession {
  readonly cookie: string
  readonly key: string
  /** The target of the invitation. */
  readonly to: string
}

export interface PageSessions {
  /** A code that signs one browser in, once, within two minutes. */
  invite(to: string): string
  enter(code: string, userAgent: string | null): PageSession | undefined
  /** Whether cookie and key exist and belong together. */
  holds(cookie: string, key: string | null): boolean
  /** Aborted when the session ends: its listeners receive nothing more. */
  endOf(cookie: string | undefined): AbortSignal | undefined
  /** Identifies the session, but grants no access. */
  idOf(cookie: string | undefined): string | undefined
  /** All browser sessions, as seen by the owner of a cookie. */
  seenBy(cookie: string | undefined): Browsers
}

/** A session as stored for the next start. It has digests, which cannot be used to sign in. */
export interface KeptSession {
  readonly id: string
  readonly cookie: string
  readonly key: string
  readonly name?: string | undefined
  readonly enteredAt: number
  readonly usedAt: number
}

/** Storage for sessions across a restart, least recently used first. */
export interface SessionStore {
  read(): readonly KeptSession[]
  write(sessions: readonly KeptSession[]): void
}

interface Session extends Omit<KeptSession, 'cookie' | 'usedAt'> {
  readonly end: AbortController
  usedAt: number
}

const CODE_LIVES = 2 * 60_000
const SESSION_LIVES = 30 * 24 * 60 * 60_000
// One person has few browsers; the session idle longest is dropped.
const MOST_SESSIONS = 50
const MOST_CODES = 50
// A kept time of use may lag behind by this much, so that not every call writes a file.
const LAG = 60 * 60_000

const NOWHERE: SessionStore = { read: () => [], write() {} }

/**
 * The sessions of pages. Browsers send a cookie to every port of a host, so the cookie alone grants nothing. Without a
 * store, a session ends with the server.
 */
export function openPageSessions(now: () => number, store: SessionStore = NOWHERE): PageSessions {
  const codes = new Map<string, { readonly to: string; readonly until: number }>()
  const sessions = new Map<string, Session>(
    store.read().map(({ cookie, ...kept }) => [cookie, { ...kept, end: new AbortController() }]),
  )
  let savedAt = now()
  const save = (): void => {
    savedAt = now()
    store.write([...sessions].map(([cookie, { end: _, ...session }]) => ({ ...session, cookie })))
  }
  const isOver = ({ usedAt }: Session): boolean => usedAt + SESSION_LIVES < now()
  const end = (name: string): void => {
    sessions.get(name)?.end.abort()
    sessions.delete(name)
  }
  const endOld = (): void => {
    for (const [name, session] of sessions) if (isOver(session)) end(name)
  }
  return {
    invite(to) {
      for (const [name, { until }] of codes) if (until < now()) codes.delete(name)
      while (codes.size >= MOST_CODES) codes.delete(codes.keys().next().value!)
      const code = secret()
      codes.set(digest(code), { to, until: now() + CODE_LIVES })
      return code
    },
    enter(code, userAgent) {
      const found = codes.get(digest(code))
      codes.delete(digest(code))
      if (found === undefined || found.until < now()) return undefined
      endOld()
      while (sessions.size >= MOST_SESSIONS) end(sessions.keys().next().value!)
      const [cookie, key, id] = [secret(), secret(), randomBytes(6).toString('hex')]
      const [name, at] = [browserName(userAgent), now()]
      sessions.set(digest(cookie), {
        id,
        name,
        key: digest(key),
        enteredAt: at,
        usedAt: at,
        end: new AbortController(),
      })
      ignoreFaults(save)
      return { cookie, key, to: found.to }
    },
    holds(cookie, key) {
      if (key === null) return false
      const name = digest(cookie)
      const session = sessions.get(name)
      if (session === undefined || session.key !== digest(key) || isOver(session)) return false
      session.usedAt = now()
      // Moved to the end: the map is in order of use.
      sessions.delete(name)
      sessions.set(name, session)
      if (now() - savedAt > LAG) ignoreFaults(save)
      return true
    },
    endOf: (cookie) => (cookie === undefined ? undefined : sessions.get(digest(cookie))?.end.signal),
    idOf: (cookie) => (cookie === undefined ? undefined : sessions.get(digest(cookie))?.id),
    seenBy(cookie) {
      const own = cookie === undefined ? undefined : digest(cookie)
      return {
        async list() {
          endOld()
          const inOrder = [...sessions].toReversed()
          return inOrder.map(([held, { id, name, enteredAt, usedAt }]) => ({
            id,
            name,
            enteredAt: new Date(enteredAt),
            usedAt: new Date(usedAt),
            isThis: held === own,
          }))
        },
        async end(ids) {
          for (const [name, { id }] of sessions) if (ids.includes(id)) end(name)
          // Throws on failure: the browser would be signed in again after a restart.
          save()
        },
      }
    },
  }
}

/** A full disk prevents no sign-in: such a session ends with the server. */
function ignoreFaults(save: () => void): void {
  try {
    save()
  } catch {}
}

const secret = (): string => randomBytes(32).toString('base64url')

/** Digests are compared instead of the secrets, so that timing reveals nothing about the secrets. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
