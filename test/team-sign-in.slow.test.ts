import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookiesNamed } from '../src/surfaces/http/sign-in/cookies.ts'
import { buildSignInApp } from '../src/surfaces/http/sign-in/sign-in-app.ts'
import { knowBrowser } from '../src/team/authenticate-browser.ts'
import { callerOfSession, callerOfToken, livesAt } from '../src/team/authenticate.ts'
import type { AuditEntry } from '../src/team/domain/audit-entry.ts'
import type { Person } from '../src/team/domain/person.ts'
import { isTokenShaped } from '../src/team/domain/token.ts'
import { claimServer, setupCode } from '../src/team/first-start.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { openSignInAudit } from '../src/team/sign-in-audit.ts'
import { askForCode, enterCode } from '../src/team/sign-in-by-code.ts'
import { anAdmin, aPerson, aProject, id } from './contract/team-subject.ts'
import { openTeamDesk, type TeamDesk } from './team-desk.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
let desk: TeamDesk
beforeAll(async () => {
  desk = await openTeamDesk()
})
afterAll(() => desk.close())

const codeIn = (mail: string): string => /code is (\d{4} \d{4})\./.exec(mail)![1]!
const enter = (attempt: string, code: string, more: { chosen?: string; source?: string } = {}) =>
  enterCode(desk, { attempt, code, source: id(), userAgent: FIREFOX, ...more })
const WRONG = { code: 'forbidden', message: 'This code is wrong or has expired.' }

async function codeFor(email: string): Promise<{ attempt: string; code: string }> {
  const { attempt, deliver } = await askForCode(desk, { email, source: id() })
  await deliver()
  return { attempt, code: codeIn(desk.mails().at(-1)!) }
}

/** All stored rows, as one text. */
const everyRow = async (): Promise<string> =>
  desk.database.transaction('server', async (sql) => {
    const tables = await sql.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'ken'`,
    )
    const rows = []
    for (const { name } of tables) rows.push(await sql.query(`SELECT t::text FROM ken.${name} t`))
    return JSON.stringify(rows)
  })

test('an empty server has a one-time code for its first admin', async () => {
  const [code, other] = [await setupCode(desk), await setupCode(desk)]
  const claim = { organisation: 'One', email: ' First@Example.com ', name: 'First', userAgent: FIREFOX }
  await expect(claimServer(desk, { ...claim, code: 'guess' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(claimServer(desk, { ...claim, code: code!, email: 'no address' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  const { person, opened } = await claimServer(desk, { ...claim, code: code! })
  expect(person).toMatchObject({ email: 'first@example.com', role: 'admin' })
  expect(await callerOfSession(desk, opened.secret)).toMatchObject({ person: person.id, role: 'admin' })
  await expect(claimServer(desk, { ...claim, code: code! })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(claimServer(desk, { ...claim, code: other! })).rejects.toMatchObject({ code: 'conflict' })
  expect(await setupCode(desk)).toBeUndefined()
})

test('a code from a mail signs in the browser that requested it, once', async () => {
  const admin = await anAdmin(desk)
  const { attempt, code } = await codeFor(admin.email)
  const entered = await enter(attempt, code)
  if (entered.kind !== 'in') throw new Error('not in')
  expect(entered.person).toEqual(admin)
  expect(entered.opened.session).toMatchObject({ browser: 'Firefox 140 on Linux', proof: 'code' })
  expect(await callerOfSession(desk, entered.opened.secret)).toMatchObject({ person: admin.id, through: 'browser' })
  await expect(enter(attempt, code)).rejects.toMatchObject(WRONG)
  const stored = await everyRow()
  for (const secret of [attempt, code.replace(' ', ''), entered.opened.secret]) expect(stored).not.toContain(secret)
})

test('a session expires after a week without use, and after thirty days with it', async () => {
  const admin = await anAdmin(desk)
  const sessions: string[] = []
  for (const _browser of ['idle', 'used']) {
    const { attempt, code } = await codeFor(admin.email)
    const entered = await enter(attempt, code)
    if (entered.kind === 'in') sessions.push(entered.opened.secret)
  }
  const [idle, used] = sessions as [string, string]
  for (let day = 0; day < 30; day += 6) {
    expect(await callerOfSession(desk, used)).toBeDefined()
    desk.wait(6 * 24 * 60)
    if (day === 6) expect(await desk.sessions.list(admin.id, livesAt(desk.clock.now()))).toHaveLength(1)
  }
  expect([await callerOfSession(desk, idle), await callerOfSession(desk, used)]).toEqual([undefined, undefined])
})

test('a code is valid only in the requesting browser, for ten minutes and five attempts', async () => {
  const admin = await anAdmin(desk)
  const [first, second] = [await codeFor(admin.email), await codeFor(admin.email)]
  await expect(enter(second.attempt, first.code)).rejects.toMatchObject(WRONG)
  desk.wait(10)
  await expect(enter(second.attempt, second.code)).rejects.toMatchObject(WRONG)
  const third = await codeFor(admin.email)
  for (let tries = 0; tries < 5; tries++) await expect(enter(third.attempt, '0000 0000')).rejects.toMatchObject(WRONG)
  await expect(enter(third.attempt, third.code)).rejects.toMatchObject(WRONG)
  await expect(enter('', '')).rejects.toMatchObject(WRONG)
})

test('an unknown address gets the same response by the same steps, and no mail', async () => {
  const admin = await anAdmin(desk)
  desk.statements()
  const known = await askForCode(desk, { email: admin.email, source: id() })
  const steps = desk.statements()
  const unknown = await askForCode(desk, { email: `${id()}@example.com`, source: id() })
  expect(desk.statements()).toEqual(steps)
  expect(unknown.attempt).toHaveLength(known.attempt.length)
  const before = desk.mails().length
  await unknown.deliver()
  expect(desk.mails()).toHaveLength(before)
  await expect(enter(unknown.attempt, '0000 0000')).rejects.toMatchObject(WRONG)
  const refusedKnown = desk.statements()
  await expect(enter(known.attempt, '0000 0000')).rejects.toMatchObject(WRONG)
  expect(desk.statements()).toEqual(refusedKnown)
})

test('a person who left gets no mail, and an earlier code no longer works', async () => {
  const admin = await anAdmin(desk)
  const member = await aPerson(desk, admin.organisation, 'member')
  const before = await codeFor(member.email)
  await desk.people.leave(admin.organisation, member.id, desk.clock.now().toISOString())
  await expect(enter(before.attempt, before.code)).rejects.toMatchObject(WRONG)
  const mails = desk.mails().length
  await (await askForCode(desk, { email: member.email, source: id() })).deliver()
  expect(desk.mails()).toHaveLength(mails)
})

const TOO_MANY = { code: 'unavailable', message: 'Too many sign-in attempts.' }

test('codes are limited per address and per origin, known or not', async () => {
  const admin = await anAdmin(desk)
  const source = id()
  for (const email of [admin.email, `${id()}@example.com`]) {
    for (let count = 0; count < 12; count++) await askForCode(desk, { email, source: id() })
    await expect(askForCode(desk, { email: email.toUpperCase(), source: id() })).rejects.toMatchObject(TOO_MANY)
  }
  for (let count = 0; count < 30; count++) await askForCode(desk, { email: `${id()}@example.com`, source })
  await expect(askForCode(desk, { email: `${id()}@example.com`, source })).rejects.toMatchObject(TOO_MANY)
  for (let count = 0; count < 100; count++) await expect(enter(id(), '1', { source })).rejects.toMatchObject(WRONG)
  await expect(enter(id(), '1', { source })).rejects.toMatchObject(TOO_MANY)
})

test('repeated code requests neither lock others out nor fill a mailbox', async () => {
  const { email } = await anAdmin(desk)
  const before = desk.mails().length
  const stranger = id()
  for (let count = 0; count < 20; count++)
    await askForCode(desk, { email, source: stranger }).then(
      ({ deliver }) => deliver(),
      () => undefined,
    )
  expect(desk.mails()).toHaveLength(before + 5)
  const { attempt, code } = await codeFor(email)
  expect(await enter(attempt, code)).toMatchObject({ kind: 'in' })
})

test('requests from many strangers cannot lock out a browser in which the person signed in before', async () => {
  const { email } = await anAdmin(desk)
  const other = await anAdmin(desk)
  const strangers = async () => {
    for (let count = 0; count < 20; count++) await askForCode(desk, { email, source: id() }).catch(() => undefined)
  }
  const known = await knowBrowser(desk, email)
  await strangers()
  await expect(askForCode(desk, { email, source: id() })).rejects.toMatchObject(TOO_MANY)
  const ofOther = await knowBrowser(desk, other.email)
  await expect(askForCode(desk, { email, source: id(), known: ofOther })).rejects.toMatchObject(TOO_MANY)
  for (let count = 0; count < 5; count++) {
    const asked = await askForCode(desk, { email, source: id(), known })
    await asked.deliver()
    expect(await enter(asked.attempt, codeIn(desk.mails().at(-1)!))).toMatchObject({ kind: 'in' })
  }
  await expect(askForCode(desk, { email, source: id(), known })).rejects.toMatchObject(TOO_MANY)
  desk.wait(60)
  await strangers()
  expect(await askForCode(desk, { email, source: id(), known })).toBeDefined()
})

test('an invited address is verified by a code and signed in as invited', async () => {
  const admin = await anAdmin(desk)
  const now = desk.clock.now()
  const email = `${id().toLowerCase()}@example.com`
  await desk.invitations.invite({
    id: id(),
    organisation: admin.organisation,
    email,
    role: 'viewer',
    invitedBy: admin.id,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 60_000).toISOString(),
  })
  const { attempt, code } = await codeFor(email)
  expect(await enter(attempt, code)).toMatchObject({
    kind: 'in',
    person: { email, role: 'viewer', organisation: admin.organisation },
  })
})

async function inviteTo(organisation: string, email: string): Promise<string> {
  const [invitation, now] = [id(), desk.clock.now()]
  await desk.invitations.invite({
    id: invitation,
    organisation,
    email,
    role: 'viewer',
    invitedBy: undefined,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 60_000).toISOString(),
  })
  return invitation
}

test('an invitation changes nothing for a person who signs in elsewhere; accepting it is audited', async () => {
  const [one, other] = [await anAdmin(desk), await anAdmin(desk)]
  const invitation = await inviteTo(other.organisation, one.email)
  const { entries, post, cookieIn } = openDoor()
  const comeInAs = async (seat: string) => {
    const attempt = cookieIn(await post('/sign-in/code', { email: one.email }), 'ken-attempt')
    await new Promise((done) => setImmediate(done))
    const code = codeIn(desk.mails().at(-1)!)
    const page = await (await post('/sign-in/enter', { code }, attempt)).text()
    expect(page).toContain('<button>Accept the invitation to ')
    return post('/sign-in/enter', { code, as: seat }, attempt)
  }
  expect((await comeInAs(one.id)).status).toBe(303)
  expect(await desk.people.withAddress(one.email)).toEqual([one])
  expect((await comeInAs(invitation)).status).toBe(303)
  expect(await desk.people.withAddress(one.email)).toMatchObject([one, { id: invitation, role: 'viewer' }])
  expect(entries.map(({ operation, person, subject }) => [operation, person, subject])).toEqual([
    ['sign_in_code', one.id, undefined],
    ['invitation_accept', invitation, invitation],
    ['sign_in_code', invitation, undefined],
  ])
})

test('a person in two organisations chooses one, with the same code', async () => {
  const [one, other] = [await anAdmin(desk), await anAdmin(desk)]
  await inviteTo(other.organisation, one.email)
  const { attempt, code } = await codeFor(one.email)
  const entered = await enter(attempt, code)
  if (entered.kind !== 'choose') throw new Error('not asked')
  const there = entered.seats.find(({ organisation }) => organisation === other.organisation)!
  await expect(enter(attempt, code, { chosen: other.id })).rejects.toMatchObject(WRONG)
  expect(await enter(attempt, code, { chosen: there.id })).toMatchObject({ kind: 'in', person: { role: 'viewer' } })
})

const wanted = { kind: 'personal', name: 'laptop', scopes: ['read'], projects: undefined, days: 30 } as const

test('a token acts as its person, within its scopes and projects, and is not stored in plain text', async () => {
  const admin: Person = await anAdmin(desk)
  const project = await aProject(desk, admin)
  const { token, secret } = await issueToken(desk, admin.id, { ...wanted, kind: 'agent', projects: [project.id] })
  expect(secret).toMatch(/^ken_a_[0-9A-Za-z]{49}$/)
  expect(await callerOfToken(desk, secret)).toEqual({
    person: admin.id,
    organisation: admin.organisation,
    role: 'admin',
    through: 'agent',
    scopes: ['read'],
    projects: [project.id],
    held: token.id,
    // All projects of the person: `projects` limits what the token may use of them.
    seen: {
      projects: [{ id: project.id, organisation: admin.organisation, name: project.name, role: 'admin' }],
      at: expect.any(Number),
    },
  })
  expect(await everyRow()).not.toContain(secret)
  desk.wait(30 * 24 * 60)
  expect(await callerOfToken(desk, secret)).toBeUndefined()
  await desk.tokens.revoke(admin.id, [token.id], desk.clock.now().toISOString())
})

test('a token with one wrong character is rejected without a database query', async () => {
  const admin = await anAdmin(desk)
  const { secret } = await issueToken(desk, admin.id, wanted)
  expect(isTokenShaped(secret)).toBe(true)
  desk.statements()
  for (let place = 0; place < secret.length; place++) {
    const other = secret[place] === 'x' ? 'y' : 'x'
    expect(await callerOfToken(desk, secret.slice(0, place) + other + secret.slice(place + 1))).toBeUndefined()
  }
  expect(desk.statements()).toEqual([])
  expect(await callerOfToken(desk, secret)).toBeDefined()
})

test.each([
  ['without a name', { name: ' ' }],
  ['without a scope', { scopes: [] }],
  ['for no project', { projects: [] }],
  ['that does not end', { days: Infinity }],
  ['that never began', { days: 0 }],
  ['of an agent that could be an admin', { kind: 'agent', scopes: ['read', 'admin'] }],
] as const)('a token %s is not made', async (_name, change) => {
  const admin = await anAdmin(desk)
  await expect(issueToken(desk, admin.id, { ...wanted, ...change })).rejects.toMatchObject({ code: 'invalid_input' })
})

const ORIGIN = 'http://ken.example.com'

/** The sign-in pages, and their audit log entries. */
function openDoor() {
  const entries: AuditEntry[] = []
  const trail = { tell: async (entry: AuditEntry) => void entries.push(entry) }
  const session = cookiesNamed('ken-session', ORIGIN)
  const app = buildSignInApp({
    publicUrl: ORIGIN,
    parts: desk,
    ways: { mailer: desk.mailer, ceremonies: undefined, provider: undefined },
    session,
    callerOf: (request) => callerOfSession(desk, session.read(request) ?? ''),
    organisations: (ids) => desk.people.organisations(ids),
    sourceOf: () => '192.0.2.9',
    told: openSignInAudit({ trail, people: desk.people, limits: desk.limits, clock: desk.clock }).tell,
  })
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    app.request(`${ORIGIN}${path}`, {
      method: 'POST',
      headers: { origin: ORIGIN, cookie, 'user-agent': FIREFOX },
      body: new URLSearchParams(fields),
    })
  const cookieIn = (response: Response, name: string): string =>
    response.headers
      .getSetCookie()
      .find((one) => one.startsWith(`${name}=`))!
      .split(';')[0]!
  return { entries, post, cookieIn }
}

test('sign-ins, sign-outs and refusals are in the audit log, without codes or cookies', async () => {
  const admin = await anAdmin(desk)
  const { entries, post, cookieIn } = openDoor()
  const asked = await post('/sign-in/code', { email: admin.email })
  await new Promise((done) => setImmediate(done))
  const attempt = cookieIn(asked, 'ken-attempt')
  const code = codeIn(desk.mails().at(-1)!)
  expect((await post('/sign-in/enter', { code: '0000 0000' }, attempt)).status).toBe(403)
  expect((await post('/sign-in/enter', { code }, 'ken-attempt=guessed')).status).toBe(403)
  const entered = await post('/sign-in/enter', { code }, attempt)
  const cookie = cookieIn(entered, 'ken-session')
  await post('/account/passkeys/remove', { id: 'none' }, cookie)
  await post('/sign-out', { all: 'yes' }, cookie)
  const own = {
    person: admin.id,
    organisation: admin.organisation,
    source: '192.0.2.9',
    client: 'Firefox 140 on Linux',
  }
  const nobody = { ...own, person: '', organisation: '' }
  const held = entries[2]!.held
  expect(held).toEqual(expect.any(String))
  expect(entries).toMatchObject([
    { operation: 'sign_in_code', outcome: 'forbidden', ...own },
    { operation: 'sign_in_code', outcome: 'forbidden', ...nobody },
    { operation: 'sign_in_code', outcome: 'ok', held, ...own },
    { operation: 'passkey_remove', outcome: 'ok', held, ...own },
    { operation: 'sign_out_everywhere', outcome: 'ok', held, ...own },
  ])
  const told = JSON.stringify(entries)
  for (const secret of [code, attempt.split('=')[1]!, cookie.split('=')[1]!, admin.email])
    expect(told).not.toContain(secret)
})

test('logs only the beginning of a flood of refusals from one source', async () => {
  desk.wait(60)
  const { entries, post } = openDoor()
  for (let nth = 0; nth < 30; nth++) await post('/sign-in/enter', { code: '1' }, `ken-attempt=${nth}`)
  expect(entries).toHaveLength(20)
  expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['forbidden']))
})

test('a browser in which a person signed in before is recognised at their next sign-in', async () => {
  const { email } = await anAdmin(desk)
  const { post, cookieIn } = openDoor()
  const lastMail = async () => {
    await new Promise((done) => setImmediate(done))
    return codeIn(desk.mails().at(-1)!)
  }
  const asked = await post('/sign-in/code', { email })
  const entered = await post('/sign-in/enter', { code: await lastMail() }, cookieIn(asked, 'ken-attempt'))
  const known = cookieIn(entered, 'ken-known')
  for (let count = 0; count < 20; count++) await askForCode(desk, { email, source: id() }).catch(() => undefined)
  const refused = await post('/sign-in/code', { email })
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(3_600)
  // Another person's request in that browser does not use up its allowance.
  expect((await post('/sign-in/code', { email: 'bob@example.com' }, known)).status).toBe(200)
  const again = await post('/sign-in/code', { email }, known)
  expect(await post('/sign-in/enter', { code: await lastMail() }, cookieIn(again, 'ken-attempt'))).toMatchObject({
    status: 303,
  })
  expect(await everyRow()).not.toContain(known.split('=')[1])
})
