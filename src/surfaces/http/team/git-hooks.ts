import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Env, Hono } from 'hono'
import type { Allowances } from '../../../kernel/domain/limits/allowance.ts'
import { isUlid } from '../../../kernel/domain/project/config.ts'
import { openBodyBudget } from '../body-budget.ts'
import { busy, denied, tooMany } from '../refusals.ts'
import { boundedBytes } from './bounded-bytes.ts'
import type { RequestSources } from './request-source.ts'

export interface GitHookDoor {
  /** Secret and branch of a project's webhook; undefined if the project has none, or does not exist. */
  find(project: string): Promise<{ readonly secret: string; readonly branch: string } | undefined>
  pullSoon(project: string): Promise<void>
}

export interface GitHookOptions {
  readonly allowances: Allowances
  readonly sources: RequestSources
}

const LARGEST_BODY = 1024 * 1024
const MOST_HELD = 16 * LARGEST_BODY
// A git host sends a body immediately; a slow one must not block others.
const SLOWEST_MS = 5_000
// Callers without a secret are counted by address, callers with a secret by project.
const STRANGERS = { burst: 60, perMinute: 60 }
const PULLS = { burst: 10, perMinute: 10 }
const NOBODYS = { secret: randomBytes(32).toString('hex'), branch: '' }

/** Push notifications from GitHub, GitLab, Gitea and Forgejo. Queues a pull and reveals nothing. */
export function addGitHooks<E extends Env>(app: Hono<E>, door: GitHookDoor, options: GitHookOptions): void {
  const takeRoom = openBodyBudget(MOST_HELD, LARGEST_BODY)
  app.post('/hooks/git/:project', async (c) => {
    const request = c.req.raw
    const wait = options.allowances.take(`hook from ${options.sources.of(request)}`, STRANGERS)
    if (wait > 0) return tooMany(wait)
    const giveBack = takeRoom(request)
    if (giveBack === undefined) return busy()
    try {
      const body = await boundedBytes(request, { largest: LARGEST_BODY, patience: SLOWEST_MS })
      if (body === undefined) return denied(413, 'A body may have 1 MB.')
      const project = c.req.param('project') ?? ''
      const found = isUlid(project) ? await door.find(project) : undefined
      // A missing project is refused with the same message, and after the same amount of work, as a wrong signature.
      if (!isSigned(request.headers, body, (found ?? NOBODYS).secret) || found === undefined)
        return denied(403, 'The signature is not that of a webhook of this server.')
      if (!isAboutBranch(request.headers, body, found.branch)) return Response.json({ ok: true, pulls: false })
      const later = options.allowances.take(`hook of ${project}`, PULLS)
      if (later > 0) return tooMany(later)
      await door.pullSoon(project)
      return Response.json({ ok: true, pulls: true }, { status: 202 })
    } finally {
      giveBack()
    }
  })
}

/** GitHub and similar hosts sign the body; GitLab sends the secret itself. */
function isSigned(headers: Headers, body: Buffer, secret: string): boolean {
  const mac = (what: string | Buffer): Buffer => createHmac('sha256', secret).update(what).digest()
  const shown = headers.get('x-gitlab-token')
  // Compares hashes, which have equal length.
  if (shown !== null) return timingSafeEqual(mac(shown), mac(secret))
  const [, signature = ''] = /^sha256=([0-9a-f]{64})$/i.exec(headers.get('x-hub-signature-256') ?? '') ?? []
  return timingSafeEqual(mac(body), Buffer.from(signature.padStart(64, '0'), 'hex')) && signature !== ''
}

/** A notification that names no branch is treated as ours: an extra pull does no harm. */
function isAboutBranch(headers: Headers, body: Buffer, branch: string): boolean {
  if (headers.get('x-github-event') === 'ping') return false
  try {
    const { ref } = JSON.parse(body.toString('utf8')) as { ref?: unknown }
    return typeof ref !== 'string' || ref === `refs/heads/${branch}`
  } catch {
    return true
  }
}
