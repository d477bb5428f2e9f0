import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import type { Keychain } from '../../kernel/ports/keychain.ts'
import type { Lease } from '../../kernel/ports/lease.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'
import { withLock } from '../../kernel/system/with-lock.ts'
import type { ServerLogin } from '../domain/server-login.ts'
import type { CredentialStore, ShelfPlace, ShelvedLogin } from '../ports/credential-store.ts'

export interface ShelfParts {
  /** Ken's folder in the user's home. */
  readonly home: string
  readonly keychain: Keychain
  openLease(path: string): Lease
}

const PAUSE_MS = 50
/** How long to wait for a concurrent renewal; longer than a request may take. */
const PATIENCE_MS = 60_000

/** A list of servers in `logins.json`; the secrets in the keychain, or beside their server if there is none. */
export function openCredentialStore({ home, keychain, openLease }: ShelfParts): CredentialStore {
  const file = openLoginsFile(home)
  const nameOf = (server: string): string => `login ${server}`
  const shelve = async (server: string, login: ServerLogin): Promise<ShelfPlace> => {
    try {
      await keychain.set(nameOf(server), JSON.stringify(login))
      return 'keychain'
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return 'file'
      throw error
    }
  }
  return {
    list: async () =>
      [...file.read()].map(([server, { kind, place, since }]) => ({ server, kind, place, since })).sort(byServer),
    async get(server) {
      const entry = file.read().get(server)
      if (entry?.place !== 'keychain') return entry?.login
      const text = await keychain.get(nameOf(server))
      return text === undefined ? undefined : readLogin(text)
    },
    async put(server, login) {
      const place = await shelve(server, login)
      const { kind, since } = login
      file.change((entries) => entries.set(server, { place, kind, since, ...(place === 'file' && { login }) }))
      return place
    },
    async remove(server) {
      const entry = file.read().get(server)
      if (entry === undefined) return false
      // The secret is removed first: a name without a secret is harmless, but a secret without a name would never be
      // found again.
      if (entry.place === 'keychain') await keychain.remove(nameOf(server))
      file.change((entries) => entries.delete(server))
      return true
    },
    async alone(server, work) {
      const lease = openLease(join(home, 'locks', `login-${sha256(server).slice(0, 16)}`))
      try {
        const release = await taken(lease)
        try {
          return await work()
        } finally {
          release()
        }
      } finally {
        lease.close()
      }
    },
  }
}

async function taken(lease: Lease): Promise<() => void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    const release = lease.tryTake()
    if (release !== undefined) return release
    await setTimeout(PAUSE_MS)
  }
  throw new AppError('conflict', 'Another process is using the same login.', { hint: 'Try again shortly.' })
}

const byServer = (one: { readonly server: string }, two: { readonly server: string }): number =>
  one.server < two.server ? -1 : 1

/** One entry of the file; it contains the login only if no keychain has it. */
interface LoginEntry extends Omit<ShelvedLogin, 'server'> {
  readonly login?: ServerLogin
}

const SECRET = z.string().min(1).max(4_000)
const TIME = z.iso.datetime()

const LOGIN = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('personal'), token: SECRET, since: TIME }),
  z.object({ kind: z.literal('given'), access: SECRET, accessUntil: TIME, refresh: SECRET.optional(), since: TIME }),
])

const FILE = z.object({
  logins: z.record(
    z.string(),
    z.object({
      place: z.enum(['keychain', 'file']),
      kind: z.enum(['personal', 'given']),
      since: z.iso.datetime(),
      login: LOGIN.optional(),
    }),
  ),
})
const LARGEST = 1024 * 1024

/** `logins.json`, which only the user may read. */
function openLoginsFile(home: string) {
  const path = join(home, 'logins.json')
  const read = (): Map<string, LoginEntry> => {
    if (!existsSync(path)) return new Map()
    try {
      const { logins } = FILE.parse(JSON.parse(readPlainFile(path, LARGEST)!.toString('utf8')))
      return new Map(Object.entries(logins) as [string, LoginEntry][])
    } catch {
      // Omits the cause: it would contain the text that was read.
      throw new AppError('damaged', `${path} is not valid.`, { hint: 'Remove it and log in again.' })
    }
  }
  return {
    read,
    change(edit: (entries: Map<string, LoginEntry>) => void): void {
      withLock(join(home, 'locks', 'logins'), () => {
        const entries = read()
        edit(entries)
        writeAtomically(path, `${JSON.stringify({ logins: Object.fromEntries(entries) }, null, 2)}\n`, 0o600)
      })
    },
  }
}

function readLogin(text: string): ServerLogin {
  try {
    const { refresh, ...login } = LOGIN.parse(JSON.parse(text)) as ServerLogin & { refresh?: string }
    return login.kind === 'given' ? { ...login, refresh } : login
  } catch {
    // Omits the cause: it would contain the login.
    throw new AppError('damaged', 'The login in the keychain is not valid.', {
      hint: 'Run `ken auth logout` and log in again.',
    })
  }
}
