import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatPart } from '../src/analyst/domain/chat/part.ts'
import { auditedContext } from '../src/app/team/audited-context.ts'
import { callerProjects } from '../src/app/team/caller-projects.ts'
import { openTeamAnalyst, type TeamAnalyst } from '../src/app/team/open-team-analyst.ts'
import type { TeamParts } from '../src/app/team/team-context.ts'
import { openTeamContexts, type ServedContexts } from '../src/app/team/team-contexts.ts'
import { openTeamModels } from '../src/app/team/team-models.ts'
import { mentionsIn } from '../src/database/mentions.ts'
import type { EvaluationState } from '../src/evaluation/ports/evaluation-state.ts'
import { secretRedactor } from '../src/kernel/domain/secrets/redact.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import { declaredBy } from '../src/operations/declared-by.ts'
import { loadServed } from '../src/operations/registry.ts'
import { openWebhookSender } from '../src/team/adapters/guarded-webhook-sender.ts'
import { openAuditLog } from '../src/team/adapters/postgres-audit-log.ts'
import { openRetention } from '../src/team/adapters/postgres-retention.ts'
import type { AuditEntry } from '../src/team/domain/audit-entry.ts'
import { permissionOf } from '../src/team/domain/permission.ts'
import type { Person } from '../src/team/domain/person.ts'
import { SCOPES, type Scope } from '../src/team/domain/role.ts'
import { openPostgresJobs } from '../src/team/jobs/postgres/index.ts'
import { openWebhooks } from '../src/team/webhooks/postgres/index.ts'
import { ended, message, query, story, version, vote, call as modelCall } from './contract/analyst-samples.ts'
import { anAdmin, aPerson, aProject, id } from './contract/team-subject.ts'
import { openTeamDesk, type TeamDesk } from './team-desk.ts'

const operations = await loadServed()
const named = (name: string) => operations.find((one) => one.name === name)!
const audited: AuditEntry[] = []
let desk: TeamDesk
let analyst: TeamAnalyst
let contexts: ServedContexts
beforeAll(async () => {
  desk = await openTeamDesk()
  const models = openTeamModels(
    { KEN_BUDGET_PERSON: '10', KEN_BUDGET_PROJECT: '1000' },
    async () => undefined,
    () => undefined,
  )
  const { database, clock } = desk
  contexts = await openTeamContexts(database, {
    clock,
    jobs: openPostgresJobs(database, { clock }),
    environment: {},
    settings: models.settings,
  })
  analyst = await openTeamAnalyst(database, { clock, models, contextOf: contexts.of })
})
afterAll(async () => {
  await analyst.close()
  await contexts.close()
  await desk.close()
})

interface Somebody {
  readonly person: Person
  readonly project: string
  readonly scopes?: readonly Scope[]
}

/** Calls an operation as the server does for a request from a page. */
async function ask(
  { person, project, scopes = SCOPES }: Somebody,
  name: string,
  input: object = {},
  hear?: Context['hear'],
): Promise<any> {
  const unused = () => {
    throw new Error('not used here')
  }
  const caller = { ...person, person: person.id, through: 'browser', scopes, projects: undefined } as const
  const parts: TeamParts = {
    clock: desk.clock,
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
      publicUrl: 'https://ken.example.com',
      vouched: [],
    },
    permissionOf: (operation) => permissionOf(declaredBy(named(operation))),
    openRecord: unused,
    eventOf: unused,
    openPast: unused,
    openMemory: unused,
  }
  const projects = callerProjects(desk.projects, { caller, named: project, publicUrl: '' })
  const trail = { tell: async (entry: AuditEntry) => void audited.push(entry), lost: () => 0, close: async () => {} }
  const origin = { surface: 'app', user: person.id } as const
  const ctx = auditedContext(parts, { caller, origin, projects }, { trail, source: undefined })
  return (await call({ ...ctx, ...(hear && { hear }) }, named(name), input)).output
}

const outcome = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    (value) => JSON.stringify(value),
    ({ code, message: words }: { code: string; message: string }) => `${code} ${words}`,
  )

/** A project with three people: an admin, member Ada with a chat and a story, and member Bea. */
async function aTeam() {
  const admin = await anAdmin(desk)
  const project = (await aProject(desk, admin, 'organisation')).id
  const [ada, bea] = [
    await aPerson(desk, admin.organisation, 'member'),
    await aPerson(desk, admin.organisation, 'member'),
  ]
  const as = (person: Person): Somebody => ({ person, project })
  const state = analyst.stateOf({ project, person: ada.id })
  return { project, state, chat: await fill(state, project, ada.id), admin: as(admin), ada: as(ada), bea: as(bea) }
}

const SECRET = 'Ada is looking for another job'
const PARTS: readonly ChatPart[] = [
  {
    kind: 'injected',
    injected: {
      memories: [{ id: 'u1', content: SECRET, category: 'fact' }],
      decisions: [],
      skills: [],
      tables: ['orders'],
      stories: [],
    },
  },
  { kind: 'reasoning', text: `${SECRET}, so I am brief.`, carry: SECRET },
  { kind: 'call', call: 'k', tool: 'execute_sql', input: { sql: 'select 1' }, carry: SECRET },
  { kind: 'remembered', memory: 'u2', content: SECRET },
  { kind: 'notice', text: `85 % of your budget is spent. ${SECRET}` },
  { kind: 'text', text: 'Seven orders.' },
]

async function fill({ chats, log, queries, stories, feedback }: EvaluationState, project: string, user: string) {
  const [chat, at] = [id(), desk.clock.now().toISOString()]
  const [asked, edited, answer, later] = [id(), id(), id(), id()]
  await chats.start({
    id: chat,
    user,
    project,
    folder: '/',
    title: 'Orders',
    starred: true,
    createdAt: at,
    updatedAt: at,
  })
  const say = (own: string, role: 'user' | 'assistant', parts: readonly ChatPart[]) =>
    log.begin(message(own, { chat, role, at, end: ended }), parts)
  await say(edited, 'user', [{ kind: 'text', text: 'What does Bea earn?' }])
  await queries.keep(query('q_0000000000ed', { chat, message: edited, rows: [['earns much']] }))
  await log.supersede(chat, edited)
  await say(asked, 'user', [{ kind: 'text', text: 'How many orders?' }])
  await say(answer, 'assistant', PARTS)
  await queries.keep(query('q_0000000000aa', { chat, message: answer }))
  await say(later, 'user', [{ kind: 'text', text: 'And of May?' }])
  await stories.create(story(id(), { project, user, slug: 'sales', title: 'Sales', chat }), version(''))
  const [told] = await stories.list({ user, project })
  await stories.addVersion({ story: told!.id, at, by: 'person', text: '# Sales, as all may read it' })
  await feedback.give(vote(answer, { chat, user, reason: SECRET }), [])
  return { id: chat, answer, story: told!.id }
}

test('a shared chat shows its owner, is readable by the people named, and only its owner can change it', async () => {
  const { chat, ada, bea, admin } = await aTeam()
  const nowhere = (asked: (one: string) => Promise<unknown>) => outcome(asked(id()))
  const none = await nowhere((one) => ask(bea, 'chat_show', { chat: one }))
  const plain = (text: string) => text.replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID')
  expect(plain(await outcome(ask(bea, 'chat_show', { chat: chat.id })))).toBe(plain(none))
  const shared = await ask(ada, 'sharing_set', { of: 'chat', id: chat.id, people: [bea.person.email] })
  expect(shared).toMatchObject({ visibility: 'named', readers: [{ id: bea.person.id }] })
  const listed = await ask(bea, 'chats_list', { whose: 'shared' })
  expect(listed.chats).toMatchObject([
    { id: chat.id, shared: 'named', starred: false, owner: { id: ada.person.id, name: ada.person.name } },
  ])
  expect((await ask(bea, 'chats_list', { words: ['seven'] })).chats).toHaveLength(1)
  expect((await ask(bea, 'chats_list', { whose: 'own' })).chats).toEqual([])
  expect((await ask(bea, 'chat_show', { chat: chat.id })).messages.at(1).parts.at(-1).text).toBe('Seven orders.')
  expect((await ask(bea, 'chat_result', { chat: chat.id, query_id: 'q_0000000000aa' })).rows.length).toBeGreaterThan(0)
  // An admin has no special access here.
  expect(await outcome(ask(admin, 'chat_show', { chat: chat.id }))).toMatch(/^not_found/)
  const changes: [string, object][] = [
    ['sharing_set', { of: 'chat', id: chat.id, everybody: true }],
    ['sharing_show', { of: 'chat', id: chat.id }],
    ['sharing_end', { of: 'chat', id: chat.id }],
    ['chat_rename', { chat: chat.id, title: 'Mine' }],
    ['chat_star', { chat: chat.id }],
    ['chat_delete', { chat: chat.id, for_good: true, yes: true }],
    ['chat_stop', { chat: chat.id }],
    ['ask', { chat: chat.id, question: 'And now?' }],
  ]
  for (const [name, input] of changes)
    expect(await outcome(ask(bea, name, input)), name).toMatch(/^forbidden .*read-only/)
  expect(await outcome(ask(bea, 'feedback', { vote: 'up', message: chat.answer }))).toMatch(/^not_found/)
  expect(await ask(ada, 'sharing_show', { of: 'chat', id: chat.id })).toMatchObject({ visibility: 'named' })
  await ask(ada, 'sharing_end', { of: 'chat', id: chat.id })
  expect(plain(await outcome(ask(bea, 'chat_show', { chat: chat.id })))).toBe(plain(none))
  expect((await ask(bea, 'chats_list')).chats).toEqual([])
})

test('readers see no private facts about the owner, and nothing edited away or replaced', async () => {
  const { chat, ada, bea } = await aTeam()
  await ask(ada, 'sharing_set', { of: 'chat', id: chat.id, everybody: true })
  await ask(ada, 'sharing_set', { of: 'story', id: 'sales', everybody: true })
  const fork = await ask(bea, 'chat_branch', { chat: chat.id })
  const told = JSON.stringify([
    await ask(bea, 'chat_show', { chat: chat.id }),
    await ask(bea, 'chat_export', { chat: chat.id, format: 'json' }),
    await ask(bea, 'chat_follow', { chat: chat.id }),
    // A position inside a part that is hidden from readers.
    await Promise.all([4, 6, 7].map((part) => ask(bea, 'chat_follow', { chat: chat.id, after: `${part}.1` }))),
    await ask(bea, 'chat_export', { chat: fork.id, format: 'json' }),
    await ask(bea, 'feedback_list'),
    await ask(bea, 'story_show', { slug: chat.story }),
    await ask(bea, 'story_versions', { slug: chat.story }),
  ])
  expect(told).toContain('Seven orders.')
  expect(told).toContain('as all may read it')
  expect(told).not.toContain(SECRET)
  expect(told).not.toContain('What does Bea earn?')
  expect(await outcome(ask(bea, 'chat_result', { chat: chat.id, query_id: 'q_0000000000ed' }))).toMatch(/^not_found/)
  expect((await ask(ada, 'chat_result', { chat: chat.id, query_id: 'q_0000000000ed' })).rows).toEqual([['earns much']])
  expect(await outcome(ask(bea, 'story_show', { slug: chat.story, version: 1 }))).toMatch(/^not_found/)
  // The story's chat of origin is not included.
  expect(await ask(bea, 'story_show', { slug: chat.story })).not.toHaveProperty('chat')
  expect((await ask(bea, 'stories_list', { whose: 'shared' })).stories).toMatchObject([
    { id: chat.story, owner: { id: ada.person.id } },
  ])
  for (const [name, input] of [
    ['story_edit', { text: 'mine' }],
    ['story_archive', {}],
    ['story_restore', { version: 1 }],
  ] as const)
    expect(await outcome(ask(bea, name, { slug: chat.story, ...input })), name).toMatch(/^not_found/)
})

test('a reader can branch a shared chat, and the branch is kept if the chat is unshared', async () => {
  const { chat, ada, bea } = await aTeam()
  await ask(ada, 'sharing_set', { of: 'chat', id: chat.id, everybody: true })
  const before = await ask(ada, 'chat_show', { chat: chat.id })
  const fork = await ask(bea, 'chat_branch', { chat: chat.id, message: chat.answer })
  expect(fork).toMatchObject({ from: chat.id, messages: 2 })
  await ask(ada, 'sharing_end', { of: 'chat', id: chat.id })
  const own = await ask(bea, 'chat_show', { chat: fork.id })
  expect(own.chat).toMatchObject({ from: { id: chat.id, owner: { name: ada.person.name } }, starred: false })
  expect(own.chat).not.toHaveProperty('shared')
  expect(own.messages).toHaveLength(2)
  expect((await ask(bea, 'chat_result', { chat: fork.id, query_id: 'q_0000000000aa' })).rows.length).toBeGreaterThan(0)
  await ask(bea, 'chat_rename', { chat: fork.id, title: 'Mine' })
  expect(await outcome(ask(ada, 'chat_show', { chat: fork.id }))).toMatch(/^not_found/)
  expect(await ask(ada, 'chat_show', { chat: chat.id })).toEqual({
    ...before,
    chat: { ...before.chat, shared: undefined },
  })
})

test('a follower of a chat gets no more events once it is unshared', async () => {
  const { chat, ada, bea, state } = await aTeam()
  await ask(ada, 'sharing_set', { of: 'chat', id: chat.id, everybody: true })
  const open = message(id(), { chat: chat.id, at: desk.clock.now().toISOString() })
  await state.log.begin(open, [{ kind: 'text', text: 'It begins' }])
  const heard: string[] = []
  const first = Promise.withResolvers<void>()
  const following = ask(bea, 'chat_follow', { chat: chat.id }, async (event) => {
    heard.push(JSON.stringify(event))
    if (heard.at(-1)?.includes('It begins')) first.resolve()
  })
  await first.promise
  await ask(ada, 'sharing_end', { of: 'chat', id: chat.id })
  await state.log.append(open, { kind: 'text', text: 'said among us' }, open.at)
  await following
  expect(heard.join('\n')).not.toContain('said among us')
})

test('admins can unshare anything but see titles only if shared with all; outsiders cannot be added', async () => {
  const { chat, ada, bea, admin, project } = await aTeam()
  const stranger = await anAdmin(desk)
  expect(await outcome(ask(ada, 'sharing_set', { of: 'chat', id: chat.id, people: [stranger.email] }))).toMatch(
    /^not_found/,
  )
  await ask(admin, 'project_change', { access: 'members', project_id: project })
  await ask(admin, 'project_grant', { person: ada.person.id, role: 'member', project_id: project })
  const refused = await outcome(ask(ada, 'sharing_set', { of: 'chat', id: chat.id, people: [bea.person.id] }))
  expect(refused).toMatch(/^not_found/)
  await ask(admin, 'project_grant', { person: bea.person.id, role: 'viewer', project_id: project })
  await ask(ada, 'sharing_set', { of: 'chat', id: chat.id, people: [bea.person.id] })
  await ask(ada, 'sharing_set', { of: 'story', id: 'sales', everybody: true })
  const { shared } = await ask(admin, 'sharing_list')
  expect(shared).toMatchObject([
    { of: expect.any(String), owner: { id: ada.person.id } },
    { of: expect.any(String), owner: { id: ada.person.id } },
  ])
  expect(shared.map(({ of, title, people }: any) => [of, title, people]).toSorted()).toEqual([
    ['chat', undefined, 1],
    ['story', 'Sales', 0],
  ])
  // A viewer can read, but not start a chat.
  expect((await ask(bea, 'chat_show', { chat: chat.id })).messages).toHaveLength(3)
  expect(await outcome(ask(bea, 'chat_branch', { chat: chat.id }))).toMatch(/^forbidden/)
  const noAdminScope = { ...admin, scopes: ['read', 'write'] as const }
  expect(await outcome(ask(noAdminScope, 'sharing_end', { of: 'chat', id: chat.id }))).toMatch(/^not_found/)
  await ask(admin, 'sharing_end', { of: 'chat', id: chat.id })
  expect(await outcome(ask(bea, 'chat_show', { chat: chat.id }))).toMatch(/^not_found/)
  expect((await ask(admin, 'sharing_list')).shared).toHaveLength(1)
})

test('admins read others’ chats only if the project allows it, visibly to all and audited', async () => {
  const { chat, ada, admin, project, state } = await aTeam()
  expect(await ask(ada, 'replay_rule')).toEqual({ on: false })
  expect(await outcome(ask(admin, 'replay_chats'))).toMatch(/^forbidden/)
  expect(await outcome(ask(admin, 'replay_show', { chat: chat.id }))).toMatch(/^forbidden/)
  // The database returns no chats, even if the permission check is forgotten.
  const wall = analyst.oversightOf({ project, person: admin.person.id })
  expect([await wall.chats({ limit: 9 }), await wall.chat(chat.id), await wall.log.parts(chat.id, 0)]).toEqual([
    [],
    undefined,
    [],
  ])
  expect(await outcome(ask(ada, 'replay_change', { on: true }))).toMatch(/^forbidden/)
  await ask(admin, 'replay_change', { on: true })
  expect(await ask(ada, 'replay_rule')).toMatchObject({ on: true, by: { id: admin.person.id } })
  expect(await outcome(ask(ada, 'replay_chats'))).toMatch(/^forbidden/)
  expect((await ask(admin, 'replay_chats')).chats).toMatchObject([{ id: chat.id, owner: { id: ada.person.id } }])
  const shown = JSON.stringify(await ask(admin, 'replay_show', { chat: chat.id }))
  expect(shown).toContain('Seven orders.')
  expect(shown).not.toContain(SECRET)
  expect(shown).not.toContain('What does Bea earn?')
  // Replay does not make the chat readable in any other way.
  expect(await outcome(ask(admin, 'chat_show', { chat: chat.id }))).toMatch(/^not_found/)
  expect(audited.filter((entry) => entry.project === project).map((one) => [one.operation, one.outcome])).toEqual(
    expect.arrayContaining([
      ['replay_change', 'ok'],
      ['replay_chats', 'ok'],
      ['replay_show', 'ok'],
    ]),
  )
  await ask(admin, 'replay_change', { on: false })
  expect(await outcome(ask(admin, 'replay_chats'))).toMatch(/^forbidden/)
  expect(await wall.log.parts(chat.id, 0)).toEqual([])
  await ask(admin, 'replay_change', { on: true })
  await state.chats.change(chat.id, { deletedAt: desk.clock.now().toISOString() })
  expect((await ask(admin, 'replay_chats')).chats).toEqual([])
})

test('a person sees their own and the project’s usage, an admin everybody’s, with budget warnings', async () => {
  const { ada, bea, admin, project, state } = await aTeam()
  const keep = (to: EvaluationState, user: string, more: object) =>
    to.calls.keep({ ...modelCall(id(), { user, project, at: desk.clock.now().toISOString() }), ...more })
  const usage = { input: 100, output: 10, cached: 0, reasoning: 0 }
  await keep(state, ada.person.id, { message: 'm1', model: 'a:x', usage: { ...usage, cost: 6 } })
  await keep(state, ada.person.id, { message: 'm1', model: 'a:x', usage: { ...usage, cost: 2.5 } })
  await keep(state, ada.person.id, { message: 'm2', model: 'a:y', usage, failed: true })
  const hers = analyst.stateOf({ project, person: bea.person.id })
  await keep(hers, bea.person.id, { message: 'm3', model: 'a:x', usage: { ...usage, cost: 1 } })
  const told = await ask(ada, 'project_usage')
  expect(told).toMatchObject({
    you: { questions: 2, calls: 3, failed: 1, input: 300, output: 30, cost: 8.5, without_price: 1 },
    project: { questions: 3, calls: 4, cost: 9.5 },
    own_days: [
      { day: '2026-03-01', model: 'a:x', questions: 1, cost: 8.5 },
      { day: '2026-03-01', model: 'a:y', failed: 1 },
    ],
    days: [{ model: 'a:x', questions: 2, cost: 9.5 }, { model: 'a:y' }],
    budgets: [
      { of: 'person', most: 10, spent: 8.5 },
      { of: 'project', most: 1000, spent: 9.5 },
    ],
    warnings: ['85 % of your budget for this month is spent.'],
  })
  expect(told).not.toHaveProperty('people')
  expect(JSON.stringify(told)).not.toContain(bea.person.id)
  const all = await ask(admin, 'project_usage')
  expect(all.people).toMatchObject([
    { person: { id: ada.person.id }, cost: 8.5 },
    { person: { id: bea.person.id }, cost: 1, days: [{ model: 'a:x', questions: 1 }] },
  ])
  expect(all.warnings).toEqual([])
  expect(await ask({ ...admin, scopes: ['read'] }, 'project_usage')).not.toHaveProperty('people')
})

test('readers comment on a shared story by name; writers and admins remove comments, and calls are audited', async () => {
  const { ada, bea, admin, project } = await aTeam()
  const viewer = { ...bea, scopes: ['read', 'write'] as const }
  const share = (more: object) => ask(ada, 'sharing_set', { of: 'story', id: 'sales', ...more })
  const threads = async (one: Somebody): Promise<any[]> => (await ask(one, 'story_comments', { slug: 'sales' })).threads
  const texts = async (one: Somebody) =>
    (await threads(one)).flatMap(({ comments }) => comments.map((c: any) => c.text))
  const say = (one: Somebody, text: string, more: object = {}) =>
    ask(one, 'story_comment', { slug: 'sales', text, ...more })
  const before = await say(ada, 'A note to myself', { on: 'as all may read it' })
  expect(await outcome(say(bea, 'Hello?'))).toMatch(/^not_found/)
  expect(await outcome(ask(bea, 'story_comments', { slug: 'sales' }))).toMatch(/^not_found/)
  desk.wait(1)
  await ask(admin, 'project_change', { access: 'members', project_id: project })
  await ask(admin, 'project_grant', { person: ada.person.id, role: 'member', project_id: project })
  await ask(admin, 'project_grant', { person: bea.person.id, role: 'viewer', project_id: project })
  await share({ people: [bea.person.id] })
  const { id: hers } = await say(viewer, 'Is it <b>net</b>?', { on: 'as all may read it' })
  await say(ada, 'Yes.', { answers: hers })
  await say(ada, 'to myself again', { answers: before.id })
  expect(await texts(bea)).toEqual(['Is it <b>net</b>?', 'Yes.'])
  expect(await texts(ada)).toEqual(['A note to myself', 'to myself again', 'Is it <b>net</b>?', 'Yes.'])
  const [, thread] = await threads(ada)
  expect(thread.comments.map(({ by, removable }: any) => [by, removable])).toEqual([
    [bea.person.name, false],
    [ada.person.name, true],
  ])
  expect(JSON.stringify(await threads(bea))).not.toContain(ada.person.id)
  await ask(viewer, 'story_comment_resolve', { slug: 'sales', comment: hers })
  expect((await threads(ada))[1].resolved).toMatchObject({ by: bea.person.name })
  expect(await outcome(ask(ada, 'story_comment_remove', { slug: 'sales', comment: hers }))).toMatch(/^forbidden/)
  const reader = { ...viewer, scopes: ['read'] as const }
  expect(await outcome(say(reader, 'No'))).toMatch(/^forbidden/)

  // Whoever is added sees what is written from then on, unless the owner shows the rest.
  desk.wait(1)
  await share({ people: [bea.person.id, admin.person.id] })
  expect(await texts(admin)).toEqual([])
  expect(await texts(bea)).toEqual(['Is it <b>net</b>?'])
  await share({ people: [bea.person.id, admin.person.id], comments: true })
  expect(await texts(admin)).toHaveLength(4)
  expect(
    await outcome(
      ask({ ...admin, scopes: ['read', 'write'] }, 'story_comment_remove', { slug: 'sales', comment: hers }),
    ),
  ).toMatch(/^forbidden/)
  await ask(admin, 'story_comment_remove', { slug: 'sales', comment: hers })
  await ask(ada, 'story_comment_remove', { slug: 'sales', comment: before.id })
  expect(await texts(ada)).toEqual(['to myself again', 'Yes.'])
  expect(audited.filter((entry) => entry.project === project).map((one) => [one.operation, one.subject])).toEqual(
    expect.arrayContaining([
      ['story_comment', hers],
      ['story_comment_remove', hers],
    ]),
  )
  await ask(ada, 'sharing_end', { of: 'story', id: 'sales' })
  expect(await outcome(ask(bea, 'story_comments', { slug: 'sales' }))).toMatch(/^not_found/)
})
