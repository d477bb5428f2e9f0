import type { Team } from '../../src/app/team/open-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import { SCOPES } from '../../src/team/domain/role.ts'
import type { TokenKind } from '../../src/team/domain/token.ts'
import { issueToken } from '../../src/team/issue-token.ts'
import { plantConflict } from '../planted-conflict.ts'
import { openCaller } from './callers.ts'
import type { ClientPlan } from './client-worker.ts'

// A person may send 20 requests a second, and a team of 25 agents works on one record.
const CLIENTS_OF_PERSON = 5
const CLIENTS_OF_PROJECT = 25

/**
 * Organisations with a project and people each, and a plan for every client; clients alternate between MCP and REST.
 */
export async function makeTenants(team: Team, clients: number): Promise<readonly ClientPlan[]> {
  const plans: ClientPlan[] = []
  let place = { organisation: '', project: '' }
  for (let first = 0; first < clients; first += CLIENTS_OF_PERSON) {
    const isNew = first % CLIENTS_OF_PROJECT === 0
    if (isNew) place = { organisation: systemClock.ulid(), project: systemClock.ulid() }
    const person = await makePerson(team, place, { email: `p${first}@example.com`, isNew })
    const token = await tokenOf(team, person, 'agent')
    const admin = isNew ? await tokenOf(team, person, 'personal') : undefined
    for (let at = first; at < Math.min(first + CLIENTS_OF_PERSON, clients); at++)
      plans.push({
        name: `c${at}`,
        protocol: at % 2 === 0 ? 'mcp' : 'rest',
        token,
        project: place.project,
        // The first client of a project that uses REST.
        ...(admin !== undefined && at === first + 1 && { admin }),
      })
  }
  return plans
}

/** A decision for every project, so that there is something to read. */
export async function recordFirst(plans: readonly ClientPlan[], url: string): Promise<void> {
  for (const [project, [plan]] of Map.groupBy(plans, (one) => one.project)) {
    const { fault } = await openCaller('rest', url, plan!.token).call('propose_decision', {
      project_id: project,
      title: 'Keep decisions where agents find them',
      rationale: 'Everybody asks the same record.',
    })
    if (fault !== undefined) throw new Error(`the first decision: ${fault}`)
  }
}

// Conflicts of a project that wait to be resolved when the clients start.
const CONFLICTS = 6

/** Files of every project that were changed differently on two machines, each with its open question. */
export async function plantConflicts(team: Team, plans: readonly ClientPlan[]): Promise<void> {
  for (const id of new Set(plans.map(({ project }) => project))) {
    const store = team.parts.openRecord({ id, name: id, mode: 'cloud', location: '', repositories: [], present: true })
    for (let at = 0; at < CONFLICTS; at++) {
      const path = `context/plan-${at}.md`
      await store.commit({ surface: 'merge' }, async (draft) => {
        draft.write(path, '# Plan\n\nWait.\n')
        draft.note('share_context', { path })
      })
      await plantConflict(store, path, [(text) => text.replace('Wait', 'Buy'), (text) => text.replace('Wait', 'Build')])
    }
  }
}

/** The first person founds the organisation and its project, the others are invited. */
async function makePerson(
  team: Team,
  { organisation, project }: { readonly organisation: string; readonly project: string },
  { email, isNew }: { readonly email: string; readonly isNew: boolean },
): Promise<string> {
  const id = systemClock.ulid()
  const now = systemClock.now()
  const createdAt = now.toISOString()
  if (!isNew) {
    const expiresAt = new Date(now.getTime() + 3_600_000).toISOString()
    await team.invitations.invite({
      id,
      organisation,
      email,
      role: 'member',
      invitedBy: undefined,
      createdAt,
      expiresAt,
    })
    await team.invitations.accept({ email, name: email, at: createdAt })
    return id
  }
  await team.people.found(
    { id: organisation, name: email, createdAt },
    { id, organisation, email, name: email, role: 'admin', createdAt, leftAt: undefined },
    { first: false },
  )
  await team.projects.create({ id: project, organisation, name: 'shop', access: 'organisation', createdAt }, id)
  return id
}

const tokenOf = async (team: Team, person: string, kind: TokenKind): Promise<string> =>
  (
    await issueToken({ tokens: team.tokens, clock: systemClock, chance: systemRandom }, person, {
      kind,
      name: 'cluster',
      scopes: kind === 'agent' ? ['read', 'write'] : SCOPES,
      projects: undefined,
      days: 1,
    })
  ).secret
