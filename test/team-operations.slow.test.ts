import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerProjects } from '../src/app/team/caller-projects.ts'
import { openTeamAnalyst, type TeamAnalyst } from '../src/app/team/open-team-analyst.ts'
import { teamContext, type TeamParts } from '../src/app/team/team-context.ts'
import { openTeamContexts, type ServedContexts } from '../src/app/team/team-contexts.ts'
import { openTeamModels } from '../src/app/team/team-models.ts'
import { mentionsIn } from '../src/database/mentions.ts'
import { secretRedactor } from '../src/kernel/domain/secrets/redact.ts'
import { call } from '../src/operations/call.ts'
import { declaredBy } from '../src/operations/declared-by.ts'
import { loadServed } from '../src/operations/registry.ts'
import { openPostgresStores } from '../src/record/store/postgres/index.ts'
import { openWebhookSender } from '../src/team/adapters/guarded-webhook-sender.ts'
import { openAuditLog } from '../src/team/adapters/postgres-audit-log.ts'
import { openRetention } from '../src/team/adapters/postgres-retention.ts'
import { callerOfSession, callerOfToken } from '../src/team/authenticate.ts'
import type { Caller } from '../src/team/domain/may.ts'
import { permissionOf } from '../src/team/domain/permission.ts'
import type { Person } from '../src/team/domain/person.ts'
import { SCOPES } from '../src/team/domain/role.ts'
import { openPostgresJobs } from '../src/team/jobs/postgres/index.ts'
import { openSession } from '../src/team/open-session.ts'
import { openWebhooks } from '../src/team/webhooks/postgres/index.ts'
import { anAdmin, aPerson, aProject, id } from './contract/team-subject.ts'
import { openTeamDesk, type TeamDesk } from './team-desk.ts'

const operations = await loadServed()
const named = (name: string) => operations.find((one) => one.name === name)!
let desk: TeamDesk
let stores: Awaited<ReturnType<typeof openPostgresStores>>
let analyst: TeamAnalyst
let contexts: ServedContexts
let hasMail = true
beforeAll(async () => {
  desk = await openTeamDesk()
  const { database, clock } = desk
  stores = await openPostgresStores({
    database,
    clock,
    embedder: async () => undefined,
    scan: () => {
      throw new Error('no vectors here')
    },
  })
  const none = async () => undefined
  const models = openTeamModels({}, none, () => undefined)
  const jobs = openPostgresJobs(database, { clock })
  contexts = await openTeamContexts(database, { clock, jobs, environment: {}, settings: models.settings })
  analyst = await openTeamAnalyst(database, { clock, models, contextOf: contexts.of })
})
afterAll(async () => {
  await analyst.close()
  await contexts.close()
  await stores.close()
  await desk.close()
})

const PUBLIC = 'https://ken.example.com'
const browserOf = ({ id: person, organisation, role }: Person): Caller => ({
  person,
  organisation,
  role,
  through: 'browser',
  scopes: SCOPES,
  projects: undefined,
})
const agentOf = (person: Person, projects?: readonly string[]): Caller => ({
  ...browserOf(person),
  through: 'agent',
  scopes: ['read', 'write'],
  projects,
})

/** Calls an operation like the server: checks the permission table first. */
async function ask(caller: Caller & { readonly session?: string }, name: string, input: object = {}): Promise<any> {
  const { clock, chance, mailer } = desk
  const parts: TeamParts = {
    clock,
    version: '0',
    redactor: secretRedactor,
    bundledEmbedder: async () => undefined,
    projects: desk.projects,
    analyst,
    desk: {
      ...desk,
      auditLog: openAuditLog(desk.database),
      mentions: (project, texts) => mentionsIn(desk.database, project, texts),
      retention: openRetention(desk.database),
      contexts: contexts.desk,
      webhooks: openWebhooks(desk.database),
      webhookSender: openWebhookSender(),
      chance,
      publicUrl: PUBLIC,
      vouched: ['acme.example'],
      mailer: hasMail ? mailer : undefined,
    },
    permissionOf: (operation) => permissionOf(declaredBy(named(operation))),
    openRecord: (project) => stores.open(project),
    eventOf: (project, id) => stores.event(project, id),
    openPast: () => {
      throw new Error('no past here')
    },
    openMemory: () => {
      throw new Error('no memory here')
    },
  }
  const projects = callerProjects(desk.projects, { caller, publicUrl: PUBLIC })
  const ctx = teamContext(parts, { caller, origin: { surface: 'http', user: caller.person }, projects })
  return (await call(ctx, named(name), input)).output
}

const refusedAs = (code: string) => ({ code })

describe('hosted tools', () => {
  test('a project is created with its first files, and the same name returns the same project', async () => {
    const member = await aPerson(desk, (await anAdmin(desk)).organisation, 'member')
    const made = await ask(agentOf(member), 'create_project', { name: 'Web Shop' })
    expect(made).toMatchObject({ name: 'Web Shop', access: 'organisation', created: true })
    expect(await ask(agentOf(member), 'create_project', { name: 'web shop' })).toEqual({ ...made, created: false })
    const { projects } = await ask(agentOf(member), 'list_projects')
    expect(projects).toMatchObject([{ id: made.id, name: 'Web Shop' }])
    expect(await ask(agentOf(member), 'update_state', { add: 'It runs.' })).toMatchObject({ status: 'ok' })
    await expect(ask(agentOf(member), 'create_project', { name: 'Web Shop', access: 'members' })).rejects.toMatchObject(
      refusedAs('conflict'),
    )
    const empty = await ask(browserOf(member), 'create_project', { name: 'From a machine', empty: true })
    expect(
      await stores.open({ ...empty, mode: 'cloud', location: '', repositories: [], present: true }).list(),
    ).toEqual([])
  })

  test('a project name that a member cannot see is not revealed: both people get a project with that name', async () => {
    const admin = await anAdmin(desk)
    const member = await aPerson(desk, admin.organisation, 'member')
    const hidden = await ask(browserOf(admin), 'create_project', { name: 'Secret plan', access: 'members' })
    const own = await ask(browserOf(member), 'create_project', { name: 'Secret plan' })
    expect(own).toMatchObject({ created: true })
    expect(own.id).not.toBe(hidden.id)
  })

  test('a viewer and a token limited to some projects cannot create a project', async () => {
    const admin = await anAdmin(desk)
    const viewer = await aPerson(desk, admin.organisation, 'viewer')
    const project = await aProject(desk, admin)
    for (const caller of [agentOf(viewer), agentOf(admin, [project.id])])
      await expect(ask(caller, 'create_project', { name: 'More' })).rejects.toMatchObject(refusedAs('forbidden'))
    expect(await desk.projects.list(admin.id)).toHaveLength(1)
  })

  test('the stack is replaced as a whole, unless another person changed it meanwhile', async () => {
    const admin = agentOf(await anAdmin(desk))
    await ask(admin, 'create_project', { name: 'shop' })
    const first = await ask(admin, 'update_stack', { content: '# Stack\n\n- **Node** serves\n' })
    expect(first).toMatchObject({ status: 'ok', names: ['Node'], project: { name: 'shop' } })
    expect(await ask(admin, 'update_stack', { content: '# Stack\n\n- **Node** serves' })).toMatchObject({
      status: 'unchanged',
      revision: first.revision,
    })
    const expected_revision = first.revision
    await ask(admin, 'update_stack', { content: '- **Node**\n- **Redis**', expected_revision })
    await expect(
      ask(admin, 'update_stack', { content: '- **Node**\n- **Valkey**', expected_revision }),
    ).rejects.toMatchObject(refusedAs('conflict'))
    const { content } = await ask(admin, 'get_context', {})
    expect(content).toContain('**Stack:** Node, Redis')
  })

  test('a shared text is readable by its path, linked from the open questions, and never overwritten', async () => {
    const admin = agentOf(await anAdmin(desk))
    await ask(admin, 'create_project', { name: 'shop' })
    const brief = { slug: 'retries-brief', content: '# Retries\n\nTried twice.', summary: 'Retries of payments' }
    expect(await ask(admin, 'share_context', brief)).toMatchObject({ status: 'ok', path: 'context/retries-brief.md' })
    expect(await ask(admin, 'share_context', brief)).toMatchObject({ status: 'unchanged' })
    await expect(ask(admin, 'share_context', { ...brief, content: 'Other' })).rejects.toMatchObject(
      refusedAs('conflict'),
    )
    const read = async (path: string) => (await ask(admin, 'get_raw_file', { path })).content
    expect(await read('context/retries-brief.md')).toBe('# Retries\n\nTried twice.\n')
    expect(await read('open-questions.md')).toContain('BRIEF: context/retries-brief.md — Retries of payments')
    expect((await ask(admin, 'get_context', {})).content).not.toContain('Retries of payments')
    for (const slug of ['../x', 'A', 'a/b', 'x.md'])
      await expect(ask(admin, 'share_context', { ...brief, slug })).rejects.toMatchObject(refusedAs('invalid_input'))
    const large = 'é'.repeat(30_000)
    await expect(ask(admin, 'share_context', { ...brief, slug: 'large', content: large })).rejects.toMatchObject(
      refusedAs('invalid_input'),
    )
  })
})

describe('people', () => {
  test('an invitation is mailed if the server sends mail, and otherwise explains how to sign in', async () => {
    const admin = await anAdmin(desk)
    const [one, other] = [`${id().toLowerCase()}@example.com`, `${id().toLowerCase()}@example.com`]
    const mailed = await ask(browserOf(admin), 'people_invite', { email: ` ${one.toUpperCase()} `, role: 'viewer' })
    expect(mailed).toMatchObject({ email: one, role: 'viewer', mailed: true })
    expect(desk.mails().at(-1)).toContain(`Sign in at ${PUBLIC} with this address, ${one}`)
    hasMail = false
    const told = await ask(browserOf(admin), 'people_invite', { email: other })
    hasMail = true
    expect(told).toMatchObject({ role: 'member', mailed: false, next: expect.stringContaining(PUBLIC) })
    const standing = async () =>
      (await ask(browserOf(admin), 'invitations_list')).invitations.map(({ email }: { email: string }) => email)
    expect((await standing()).toSorted()).toEqual([one, other].toSorted())
    await ask(browserOf(admin), 'invitation_withdraw', { id: told.id })
    expect(await standing()).toEqual([one])
    const at = desk.clock.now().toISOString()
    expect(await desk.invitations.accept({ email: other, name: 'Other', at })).toEqual([])
    await desk.invitations.accept({ email: one, name: 'One', at })
    await expect(ask(browserOf(admin), 'people_invite', { email: one })).rejects.toMatchObject(refusedAs('conflict'))
  })

  test('repeated invitations to an address do not fill its mailbox', async () => {
    const [admin, elsewhere] = [await anAdmin(desk), await anAdmin(desk)]
    const email = `${id().toLowerCase()}@example.com`
    const before = desk.mails().length
    const mailed = []
    for (const by of [admin, admin, elsewhere, admin])
      mailed.push((await ask(browserOf(by), 'people_invite', { email })).mailed)
    expect(mailed).toEqual([true, true, true, false])
    expect(desk.mails()).toHaveLength(before + 3)
    const { next } = await ask(browserOf(elsewhere), 'people_invite', { email })
    expect(next).toContain(`Tell them to sign in at ${PUBLIC}`)
  })

  test('role changes apply at once, people are found by address, and the last admin cannot be demoted', async () => {
    const admin = await anAdmin(desk)
    const member = await aPerson(desk, admin.organisation, 'member')
    const { you, people } = await ask(browserOf(member), 'people_list')
    expect(you).toEqual({ id: member.id, role: 'member' })
    expect(people.map(({ id: one }: { id: string }) => one).toSorted()).toEqual([admin.id, member.id].toSorted())
    const change = (person: string, role: string) => ask(browserOf(admin), 'people_change', { person, role })
    expect(await change(member.email.toUpperCase(), 'viewer')).toMatchObject({ person: { role: 'viewer' } })
    await expect(change(admin.id, 'member')).rejects.toMatchObject(refusedAs('conflict'))
    await expect(ask(browserOf(admin), 'people_remove', { person: admin.id })).rejects.toMatchObject(
      refusedAs('conflict'),
    )
    await change(member.id, 'admin')
    expect(await change(admin.id, 'member')).toMatchObject({ person: { role: 'member' } })
  })

  test('a person from another organisation is not found', async () => {
    const [admin, stranger] = [await anAdmin(desk), await anAdmin(desk)]
    const project = await aProject(desk, admin)
    for (const [name, input] of [
      ['people_change', { role: 'viewer' }],
      ['people_remove', {}],
      ['people_sign_out', {}],
      ['project_grant', { role: 'viewer', project_id: project.id }],
    ] as const)
      for (const person of [stranger.id, stranger.email, id()])
        await expect(ask(browserOf(admin), name, { ...input, person }), name).rejects.toMatchObject({
          code: 'not_found',
          message: 'Person not found.',
        })
    expect(await desk.people.find(stranger.id)).toEqual(stranger)
  })

  test('a person removed or signed out everywhere has no working credentials left', async () => {
    const admin = await anAdmin(desk)
    for (const deed of ['people_remove', 'people_sign_out']) {
      const member = await aPerson(desk, admin.organisation, 'member')
      const { secret } = await ask(browserOf(member), 'token_create', { name: 'laptop' })
      const opened = await openSession(desk, { person: member.id, proof: 'code', userAgent: null })
      const access = await aGrant(member)
      expect(await callerOfToken(desk, secret)).toBeDefined()
      const told = await ask(browserOf(admin), deed, { person: member.id })
      if (deed === 'people_sign_out') expect(told).toMatchObject({ sessions: 1, tokens: 1, grants: 1 })
      expect(await callerOfToken(desk, secret)).toBeUndefined()
      expect(await callerOfSession(desk, opened.secret)).toBeUndefined()
      expect(await desk.authorizations.find(access, desk.clock.now())).toBeUndefined()
      expect((await desk.people.find(member.id))?.leftAt !== undefined).toBe(deed === 'people_remove')
    }
  })

  test('only admins manage people, and an agent never does, even for an admin', async () => {
    const admin = await anAdmin(desk)
    const member = await aPerson(desk, admin.organisation, 'member')
    for (const [name, input] of [
      ['people_invite', { email: 'new@example.com' }],
      ['people_change', { person: admin.id, role: 'viewer' }],
      ['people_remove', { person: admin.id }],
      ['people_sign_out', { person: admin.id }],
      ['invitations_list', {}],
    ] as const)
      for (const caller of [browserOf(member), agentOf(admin)])
        await expect(ask(caller, name, input), name).rejects.toMatchObject(refusedAs('forbidden'))
  })
})

describe('projects', () => {
  test('a project’s admin adds and removes people, and renames it to a free name', async () => {
    const admin = await anAdmin(desk)
    const [owner, other] = [
      await aPerson(desk, admin.organisation, 'member'),
      await aPerson(desk, admin.organisation, 'member'),
    ]
    const { id: project_id } = await ask(browserOf(owner), 'create_project', { name: 'Plans', access: 'members' })
    const about = { project_id }
    await expect(ask(browserOf(other), 'project_members', about)).rejects.toMatchObject(refusedAs('not_found'))
    await ask(browserOf(owner), 'project_grant', { ...about, person: other.email, role: 'viewer' })
    const { members, access, role } = await ask(browserOf(other), 'project_members', about)
    expect([access, role]).toEqual(['members', 'viewer'])
    expect(members.map((one: { id: string; role: string }) => [one.id, one.role]).toSorted()).toEqual(
      [
        [owner.id, 'admin'],
        [other.id, 'viewer'],
      ].toSorted(),
    )
    await expect(ask(browserOf(other), 'project_change', { ...about, name: 'Mine' })).rejects.toMatchObject(
      refusedAs('forbidden'),
    )
    await ask(browserOf(other), 'create_project', { name: 'Taken' })
    await expect(ask(browserOf(owner), 'project_change', { ...about, name: 'taken' })).rejects.toMatchObject(
      refusedAs('conflict'),
    )
    expect(await ask(browserOf(owner), 'project_change', { ...about, name: 'Free' })).toMatchObject({
      project: { id: project_id, name: 'Free' },
      access: 'members',
    })
    await ask(browserOf(owner), 'project_revoke', { ...about, person: other.id })
    await expect(ask(browserOf(other), 'project_members', about)).rejects.toMatchObject(refusedAs('not_found'))
  })

  test('an archived project is hidden from everybody until an admin restores it unchanged', async () => {
    const admin = await anAdmin(desk)
    const member = await aPerson(desk, admin.organisation, 'member')
    const { id: project_id } = await ask(browserOf(member), 'create_project', { name: 'old' })
    await ask(browserOf(member), 'update_stack', { content: '- **Perl**', project_id })
    await expect(ask(browserOf(member), 'project_archive', { project_id })).rejects.toMatchObject(
      refusedAs('forbidden'),
    )
    await ask(browserOf(admin), 'project_archive', { project_id: 'old' })
    for (const person of [admin, member])
      await expect(ask(browserOf(person), 'get_context', { project_id })).rejects.toMatchObject(refusedAs('not_found'))
    await expect(ask(browserOf(member), 'token_create', { name: 'x', projects: [project_id] })).rejects.toMatchObject(
      refusedAs('not_found'),
    )
    expect((await ask(browserOf(admin), 'projects_archived')).projects).toEqual([{ id: project_id, name: 'old' }])
    const stranger = await anAdmin(desk)
    await expect(ask(browserOf(stranger), 'project_unarchive', { id: project_id })).rejects.toMatchObject(
      refusedAs('not_found'),
    )
    await ask(browserOf(admin), 'project_unarchive', { id: project_id })
    expect((await ask(browserOf(member), 'get_context', { project_id })).content).toContain('Perl')
  })
})

describe('personal credentials', () => {
  test('a token is shown once, works, and ends when revoked', async () => {
    const member = await aPerson(desk, (await anAdmin(desk)).organisation, 'member')
    const { token, secret } = await ask(browserOf(member), 'token_create', { name: 'laptop', kind: 'personal' })
    expect(await callerOfToken(desk, secret)).toMatchObject({ person: member.id, through: 'token' })
    const listed = await ask(browserOf(member), 'token_list')
    expect(listed.tokens).toMatchObject([{ id: token.id, state: 'good', name: 'laptop' }])
    expect(JSON.stringify(listed)).not.toContain(secret)
    const stranger = await anAdmin(desk)
    await expect(ask(browserOf(stranger), 'token_revoke', { id: token.id })).rejects.toMatchObject(
      refusedAs('not_found'),
    )
    expect(await ask(browserOf(member), 'token_revoke', { id: token.id })).toMatchObject({
      token: { state: 'revoked' },
    })
    expect(await callerOfToken(desk, secret)).toBeUndefined()
  })

  test('the secret is only in its field, and a token name that looks like a secret is redacted', async () => {
    const member = await aPerson(desk, (await anAdmin(desk)).organisation, 'member')
    const { secret } = await ask(browserOf(member), 'token_create', { name: 'first' })
    const { token, secret: second } = await ask(browserOf(member), 'token_create', { name: secret })
    expect(token.name).not.toContain(secret)
    expect(second).toMatch(/^ken_a_/)
  })

  test('tokens cannot create tokens', async () => {
    const admin = await anAdmin(desk)
    for (const caller of [{ ...browserOf(admin), through: 'token' } as const, agentOf(admin)])
      await expect(ask(caller, 'token_create', { name: 'more' })).rejects.toMatchObject(refusedAs('forbidden'))
  })

  test('a person lists and revokes their own browsers and clients', async () => {
    const [one, other] = [await anAdmin(desk), await anAdmin(desk)]
    const { session, secret } = await openSession(desk, { person: one.id, proof: 'passkey', userAgent: null })
    const access = await aGrant(one)
    const { sessions } = await ask({ ...browserOf(one), session: session.id }, 'sessions_list')
    expect(sessions).toMatchObject([{ id: session.id, proof: 'passkey', current: true }])
    const { grants } = await ask(browserOf(one), 'grants_list')
    expect(grants).toMatchObject([{ client: 'A client', scopes: ['read'] }])
    await ask(browserOf(other), 'session_end', { id: session.id })
    await ask(browserOf(other), 'grant_revoke', { id: grants[0].id })
    expect(await callerOfSession(desk, secret)).toBeDefined()
    expect(await desk.authorizations.find(access, desk.clock.now())).toBeDefined()
    await ask(browserOf(one), 'session_end', { id: session.id })
    await ask(browserOf(one), 'grant_revoke', { id: grants[0].id })
    expect(await callerOfSession(desk, secret)).toBeUndefined()
    expect(await desk.authorizations.find(access, desk.clock.now())).toBeUndefined()
  })
})

/** Creates a grant from a person to a client; returns the hash of its access token. */
async function aGrant(person: Person): Promise<string> {
  const [grant, hash, now] = [id(), id(), desk.clock.now()]
  const later = new Date(now.getTime() + 600_000)
  await desk.authorizations.offerCode(
    {
      id: grant,
      person: person.id,
      client: 'client-1',
      clientName: 'A client',
      resource: `${PUBLIC}/mcp`,
      scopes: ['read'],
      projects: [],
      isLasting: false,
      createdAt: now,
      endsAt: later,
    },
    { hash: id(), challenge: 'c', redirectUri: 'http://127.0.0.1/cb', expiresAt: later },
  )
  await desk.authorizations.issue(
    grant,
    { access: { hash, expiresAt: later, scopes: ['read'] }, refresh: undefined },
    now,
  )
  return hash
}

describe('the audit log and retention', () => {
  const entry = (organisation: string, more: object = {}) => ({
    at: desk.clock.now().toISOString(),
    organisation,
    person: '',
    through: 'token' as const,
    held: 'token-1',
    operation: 'get_context',
    effect: 'read' as const,
    project: undefined,
    subject: undefined,
    outcome: 'ok' as const,
    surface: 'http',
    client: 'codex',
    source: '192.0.2.7',
    ...more,
  })

  test('an organisation’s admin reads its log in pages; a project’s admin reads only the project’s log', async () => {
    const [admin, stranger] = [await anAdmin(desk), await anAdmin(desk)]
    const member = await aPerson(desk, admin.organisation, 'member')
    const project = await aProject(desk, member, 'members')
    const log = openAuditLog(desk.database)
    await log.write([
      entry(admin.organisation, { person: member.id, project: project.id }),
      entry(admin.organisation, { person: admin.id, operation: 'people_change', subject: member.id, held: 's' }),
      entry(admin.organisation, { person: 'somebody-forgotten', client: 'gemini' }),
      entry(stranger.organisation, { person: stranger.id, project: project.id }),
      entry('', { operation: 'sign_in_code' }),
    ])
    const whole = await ask(browserOf(admin), 'audit_log')
    expect(whole.entries).toMatchObject([
      { person: { id: 'somebody-forgotten' }, client: 'gemini' },
      { person: { id: admin.id, email: admin.email }, operation: 'people_change', subject_name: 'member' },
      { person: { id: member.id, name: 'member' }, project: project.id, source: '192.0.2.7' },
    ])
    expect(whole.next).toBeUndefined()
    const first = await ask(browserOf(admin), 'audit_log', { limit: 2 })
    const rest = await ask(browserOf(admin), 'audit_log', { limit: 2, before: first.next })
    expect([...first.entries, ...rest.entries]).toEqual(whole.entries)
    const places = async (filter: object) =>
      (await ask(browserOf(admin), 'audit_log', filter)).entries.map(({ place }: any) =>
        whole.entries.findIndex((one: any) => one.place === place),
      )
    expect(await places({ person: member.email.toUpperCase() })).toEqual([1, 2])
    expect(await places({ agent: 'gemini' })).toEqual([0])
    expect(await places({ agent: 's' })).toEqual([1])
    expect(await places({ project: project.id })).toEqual([2])
    expect(await places({ operation: 'people_change', since: '2020-01-01' })).toEqual([1])
    expect(await places({ until: '2020-01-01' })).toEqual([])
    expect(await places({ person: stranger.email })).toEqual([])

    expect((await ask(browserOf(member), 'project_audit', { project_id: project.id })).entries).toEqual([
      whole.entries[2],
    ])
    await expect(ask(browserOf(member), 'audit_log')).rejects.toMatchObject(refusedAs('forbidden'))
    await expect(ask(agentOf(admin), 'audit_log')).rejects.toMatchObject(refusedAs('forbidden'))
    await expect(ask(browserOf(stranger), 'project_audit', { project_id: project.id })).rejects.toMatchObject(
      refusedAs('not_found'),
    )
  })

  test('everybody can read the retention setting; an admin changes it, only for their organisation', async () => {
    const [admin, stranger] = [await anAdmin(desk), await anAdmin(desk)]
    const viewer = await aPerson(desk, admin.organisation, 'viewer')
    expect(await ask(browserOf(viewer), 'retention')).toMatchObject({ audit_days: 365, deleted_days: 30 })
    await ask(browserOf(admin), 'retention_set', { audit_days: 90, chat_days: 180 })
    await ask(browserOf(admin), 'retention_set', { deleted_days: 7 })
    expect(await ask(browserOf(viewer), 'retention')).toMatchObject({ audit_days: 90, deleted_days: 7, chat_days: 180 })
    expect(await ask(browserOf(admin), 'retention_set', { chat_days: 0 })).toEqual({ audit_days: 90, deleted_days: 7 })
    expect(await ask(browserOf(stranger), 'retention')).toMatchObject({ audit_days: 365, deleted_days: 30 })
    await expect(ask(browserOf(viewer), 'retention_set', { audit_days: 90 })).rejects.toMatchObject(
      refusedAs('forbidden'),
    )
    for (const wrong of [{}, { audit_days: 29 }, { deleted_days: 31 }])
      await expect(ask(browserOf(admin), 'retention_set', wrong)).rejects.toMatchObject(refusedAs('invalid_input'))
  })
})
