import type { Team } from '../../src/app/team/open-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import { issueToken } from '../../src/team/issue-token.ts'
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
    const token = await tokenOf(team, await makePerson(team, place, { email: `p${first}@example.com`, isNew }))
    for (let at = first; at < Math.min(first + CLIENTS_OF_PERSON, clients); at++)
      plans.push({ name: `c${at}`, protocol: at % 2 === 0 ? 'mcp' : 'rest', token, project: place.project })
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

const tokenOf = async (team: Team, person: string): Promise<string> =>
  (
    await issueToken({ tokens: team.tokens, clock: systemClock, chance: systemRandom }, person, {
      kind: 'agent',
      name: 'cluster',
      scopes: ['read', 'write'],
      projects: undefined,
      days: 1,
    })
  ).secret
