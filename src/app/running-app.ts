import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../kernel/domain/errors.ts'
import type { Browsers } from '../kernel/ports/browsers.ts'
import type { WaitingChanges } from '../kernel/ports/page-changes.ts'
import { isProof, proofOf } from '../surfaces/http/owner-proof.ts'
import { keptBrowsers } from './kept-browsers.ts'

interface RunningApp {
  readonly url: string
  /** Never sent: each side proves that it has the secret. */
  readonly secret: string
}

const fileIn = (home: string): string => join(home, 'app.json')

/** Announces the address of this home's running app for the next `ken app`; returns a function that withdraws it. */
export function announceApp(home: string, app: RunningApp): () => void {
  // An existing file would keep its mode, and a link would redirect the write.
  rmSync(fileIn(home), { force: true })
  writeFileSync(fileIn(home), JSON.stringify({ url: app.url, secret: app.secret }), { mode: 0o600, flag: 'wx' })
  return () => {
    if (announced(home)?.secret === app.secret) rmSync(fileIn(home), { force: true })
  }
}

/** A link into the running app; undefined if none answers on the wanted port, or another program does. */
export async function linkOfRunningApp(home: string, to: string, port?: number): Promise<string | undefined> {
  if (port !== undefined && Number(new URL(announced(home)?.url ?? 'http://127.0.0.1').port) !== port) return undefined
  const told = await askRunningApp(home, { path: '/invite', body: { to }, field: 'code' })
  return told && `${told.url}/enter?code=${encodeURIComponent(told.answer)}`
}

/** Browsers of the running app, for another process: none of the browsers belongs to that process. */
export const browsersOfRunningApp = (home: string): Browsers => ({
  async list() {
    const told = await askRunningApp(home, { path: '/browsers', body: {}, field: 'browsers' })
    if (told === undefined) return (await isStopped(home)) ? keptBrowsers(home).list() : undefined
    return toldBrowsers.parse(JSON.parse(told.answer)).map(({ name, ...one }) => ({ ...one, name, isThis: false }))
  },
  async end(ids) {
    const told = await askRunningApp(home, { path: '/browsers', body: { end: ids }, field: 'browsers' })
    if (told === undefined && (await isStopped(home))) return keptBrowsers(home).end(ids)
    if (told === undefined)
      throw new AppError('unavailable', 'The running app does not respond.', {
        hint: 'Try again, or stop the app to sign out every browser.',
      })
  },
})

/** The codes shown at the running app's terminal, for any other terminal of the same user. */
export const changesOfRunningApp = (home: string): WaitingChanges => ({
  async list() {
    const told = await askRunningApp(home, { path: '/changes', body: {}, field: 'changes' })
    return told && waitingChanges.parse(JSON.parse(told.answer))
  },
})

const waitingChanges = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    operation: z.string(),
    folder: z.string(),
    changes: z.array(
      z.object({
        what: z.string(),
        before: z.string().optional(),
        after: z.string().optional(),
        diff: z.string().optional(),
      }),
    ),
    code: z.string(),
    expiresAt: z.coerce.date(),
  }),
)

const toldBrowsers = z.array(
  z.object({
    id: z.string(),
    name: z.string().optional(),
    enteredAt: z.coerce.date(),
    usedAt: z.coerce.date(),
  }),
)

interface Asked {
  readonly path: string
  readonly body: object
  /** Field of the answer that the proof covers. */
  readonly field: string
}

/** Sends a request to the running app; undefined if none answers, or another program does. */
async function askRunningApp(
  home: string,
  { path, body, field }: Asked,
): Promise<{ readonly url: string; readonly answer: string } | undefined> {
  const app = announced(home)
  if (app === undefined) return undefined
  const { url, secret } = app
  const nonce = randomBytes(32).toString('base64url')
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${proofOf({ secret, side: 'asks', said: [nonce] })}`,
      'x-ken-nonce': nonce,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(2_000),
    redirect: 'error',
  }).catch(() => undefined)
  if (response?.ok !== true) return undefined
  const { [field]: answer, proof } = (await response.json().catch(() => ({}))) as Record<string, unknown>
  return typeof answer === 'string' && isProof(proof, { secret, side: 'answers', said: [nonce, answer] })
    ? { url, answer }
    : undefined
}

/** Whether nothing listens at the announced address, so that no process can write the kept sessions back. */
async function isStopped(home: string): Promise<boolean> {
  const app = announced(home)
  if (app === undefined) return true
  const { hostname, port } = new URL(app.url)
  return new Promise((done) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => {
      socket.destroy()
      done(false)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED'))
  })
}

function announced(home: string): RunningApp | undefined {
  try {
    const { url, secret } = JSON.parse(readFileSync(fileIn(home), 'utf8')) as Partial<RunningApp>
    const isOwn = typeof url === 'string' && /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url) && typeof secret === 'string'
    return isOwn ? { url, secret } : undefined
  } catch {
    return undefined
  }
}
