import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Browsers } from '../kernel/ports/browsers.ts'
import { writeAtomically } from '../kernel/system/atomic-file.ts'
import type { KeptSession, SessionStore } from '../surfaces/http/page-sessions.ts'

const fileIn = (home: string): string => join(home, 'app-browsers.json')

const keptSchema = z.object({
  port: z.number().int(),
  sessions: z
    .array(
      z.object({
        id: z.string(),
        cookie: z.string(),
        key: z.string(),
        name: z.string().optional(),
        enteredAt: z.number(),
        usedAt: z.number(),
      }),
    )
    .max(1_000),
})

/**
 * Keeps the browsers that are signed in to the app on a port. A cookie belongs to one port, and one process listens on
 * it: a session that this process ended cannot be restored by an app on another port.
 */
export const browserStore = (home: string, port: number): SessionStore => ({
  read() {
    const kept = read(home)
    return kept?.port === port ? kept.sessions : []
  },
  write: (sessions) => write(home, port, sessions),
})

/** Browsers that will be signed in when the app starts again. Only for a home whose app is stopped. */
export const keptBrowsers = (home: string): Browsers => ({
  async list() {
    const kept = read(home)?.sessions ?? []
    if (kept.length === 0) return undefined
    return kept.toReversed().map(({ id, name, enteredAt, usedAt }) => ({
      id,
      name,
      enteredAt: new Date(enteredAt),
      usedAt: new Date(usedAt),
      isThis: false,
    }))
  },
  async end(ids) {
    const kept = read(home)
    if (kept === undefined) return
    write(
      home,
      kept.port,
      kept.sessions.filter(({ id }) => !ids.includes(id)),
    )
  },
})

function read(home: string): z.output<typeof keptSchema> | undefined {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(fileIn(home), 'utf8')))
  } catch {
    return undefined
  }
}

const write = (home: string, port: number, sessions: readonly KeptSession[]): void =>
  writeAtomically(fileIn(home), JSON.stringify({ port, sessions }), 0o600)
