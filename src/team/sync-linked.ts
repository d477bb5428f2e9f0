import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../kernel/domain/errors.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { RegisteredProject } from '../kernel/ports/projects.ts'
import type { Redactor } from '../kernel/ports/redactor.ts'
import { QUESTIONS } from '../record/domain/files.ts'
import { eventsOf, linesSince } from '../record/domain/journal/unite-journals.ts'
import { openQuestions } from '../record/domain/question.ts'
import type { Store } from '../record/ports/store.ts'
import type { SyncOutcome, TeamCopy } from './ports/team-copy.ts'
import type { TeamLinks } from './ports/team-links.ts'
import { syncTeam, type TeamSync } from './sync-team.ts'

export interface LinkedParts {
  readonly links: TeamLinks
  /** A project in mode `cloud`, with its team. */
  readonly project: RegisteredProject
  readonly store: Store
  readonly redactor: Redactor
  readonly clock: Clock
}

const LEASE_MS = 30_000
const LOOK_MS = 100

/** Merges a linked record with its team's, one process at a time, and records the outcome. */
export async function syncLinked(parts: LinkedParts): Promise<TeamSync> {
  const giveBack = await turn(parts, 'sync', LEASE_MS)
  if (giveBack === undefined)
    throw new AppError('unavailable', 'Another process is syncing this record with the team.', {
      hint: 'It sends local changes; check again shortly.',
    })
  try {
    return await joined(parts)
  } finally {
    giveBack()
  }
}

/**
 * Like `syncLinked`, but does nothing if another process is next in line: that process starts later, so it includes
 * everything written before. With a hundred writes in a row, at most two processes are active.
 */
export async function syncUnlessNext(parts: LinkedParts): Promise<TeamSync> {
  const giveBack = await turn(parts, 'next', 0)
  if (giveBack === undefined) return { pulled: 0, pushed: 0, renumbered: [], asked: [] }
  const begin = await turn(parts, 'sync', LEASE_MS).finally(giveBack)
  try {
    return begin === undefined ? { pulled: 0, pushed: 0, renumbered: [], asked: [] } : await joined(parts)
  } finally {
    begin?.()
  }
}

async function joined(parts: LinkedParts): Promise<TeamSync> {
  const { links, project, clock } = parts
  const copy = await links.copy(project)
  try {
    const done = await withServer(parts, copy)
    const at = clock.now().toISOString()
    await copy.note({ at, doneAt: at, failure: undefined })
    return done
  } catch (error) {
    const doneAt = (await copy.outcome())?.doneAt
    await copy.note({ at: clock.now().toISOString(), doneAt, failure: toAppError(error).line })
    throw error
  } finally {
    await copy.close()
  }
}

async function withServer({ links, project, store, redactor }: LinkedParts, copy: TeamCopy): Promise<TeamSync> {
  const team = teamOf(project)
  const server = await links.server(team.server, { isNamed: true })
  return syncTeam({ store, team: server.record(project.id, copy), copy, redactor })
}

/** Waits for a lease and returns its release; undefined if another process holds it for longer than `patience`. */
async function turn(
  { links, project }: LinkedParts,
  purpose: 'sync' | 'next',
  patience: number,
): Promise<(() => void) | undefined> {
  const lease = await links.lease(project, purpose)
  for (let waited = 0; ; waited += LOOK_MS) {
    const giveBack = lease.tryTake()
    if (giveBack !== undefined)
      return () => {
        giveBack()
        lease.close()
      }
    if (waited >= patience) break
    await pause(LOOK_MS)
  }
  lease.close()
  return undefined
}

export function teamOf(project: RegisteredProject): NonNullable<RegisteredProject['team']> {
  if (project.team !== undefined) return project.team
  throw new AppError('invalid_input', `The record of "${project.name}" is not shared.`, {
    hint: 'Share it with `ken link --server <url>`, or fetch a shared one with `ken attach <id> --server <url>`.',
  })
}

/** State of a linked record, as far as this machine knows; the server is not queried. */
export interface LinkState {
  readonly last: SyncOutcome | undefined
  /** Local changes that the team does not have yet. */
  readonly waiting: number
  /** Merge conflicts that are still open questions. */
  readonly asked: readonly string[]
}

export async function linkState(
  links: TeamLinks,
  project: RegisteredProject,
  store: Pick<Store, 'history' | 'read'>,
): Promise<LinkState> {
  const copy = await links.copy(project)
  try {
    const [lines, state, questions] = await Promise.all([store.history.lines(), copy.state(), store.read(QUESTIONS)])
    const own = linesSince(lines, state?.revision) ?? lines
    const open = new Set(openQuestions(questions ?? '').map(({ body }) => body))
    const asked = eventsOf(lines).flatMap(({ operation, facts }) =>
      operation === 'merge' && Array.isArray(facts['asked']) ? (facts['asked'] as unknown[]).map(String) : [],
    )
    return {
      last: await copy.outcome(),
      waiting: own.length,
      asked: [...new Set(asked)].filter((one) => open.has(one)),
    }
  } finally {
    await copy.close()
  }
}
