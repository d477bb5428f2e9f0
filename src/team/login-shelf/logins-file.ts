import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'
import { withLock } from '../../kernel/system/with-lock.ts'
import type { ServerLogin } from '../domain/server-login.ts'
import type { ShelvedLogin } from '../ports/login-shelf.ts'
import { LOGIN } from './read-login.ts'

/** One line of the file; it contains the login itself only if no keychain has it. */
export interface LoginEntry extends Omit<ShelvedLogin, 'server'> {
  readonly login?: ServerLogin
}

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
export function openLoginsFile(home: string) {
  const path = join(home, 'logins.json')
  const read = (): Map<string, LoginEntry> => {
    if (!existsSync(path)) return new Map()
    try {
      const { logins } = FILE.parse(JSON.parse(readPlainFile(path, LARGEST)!.toString('utf8')))
      return new Map(Object.entries(logins) as [string, LoginEntry][])
    } catch {
      // Without a cause: it would contain what was read.
      throw new AppError('damaged', `${path} cannot be understood.`, { hint: 'Remove it and log in again.' })
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
