import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPasskeyCeremonies } from '../src/team/adapters/simplewebauthn-passkeys.ts'
import { callerOfSession } from '../src/team/authenticate.ts'
import type { Person } from '../src/team/domain/person.ts'
import {
  addPasskey,
  askForPasskey,
  askForSignature,
  signInWithPasskey,
  type PasskeyParts,
} from '../src/team/sign-in-with-passkey.ts'
import { anAdmin, aPerson, id } from './contract/team-subject.ts'
import { SoftwareAuthenticator, type Slips } from './software-authenticator.ts'
import { openTeamDesk, type TeamDesk } from './team-desk.ts'

const ORIGIN = 'https://ken.example.com'
const REFUSED = { code: 'forbidden', message: 'This passkey cannot be used here.' }
let desk: TeamDesk
let parts: PasskeyParts
beforeAll(async () => {
  desk = await openTeamDesk()
  parts = { ...desk, ceremonies: await openPasskeyCeremonies(`${ORIGIN}/`) }
})
afterAll(() => desk.close())

type Creation = { challenge: string; user: { id: string } }

async function enrol(person: Person, slips?: Slips, authenticator = new SoftwareAuthenticator(ORIGIN)) {
  const { attempt, options } = await askForPasskey(parts, person.id)
  const response = authenticator.create(options as Creation, slips)
  const passkey = await addPasskey(parts, { person: person.id, attempt, response, name: ' Laptop ' })
  return { authenticator, passkey, attempt, response }
}

async function come(authenticator: SoftwareAuthenticator, slips?: Slips) {
  const { attempt, options } = await askForSignature(parts, id())
  const response = authenticator.get(options as Creation, slips)
  return signInWithPasskey(parts, { attempt, response, userAgent: null })
}

test('a registered passkey signs its owner in repeatedly', async () => {
  const admin = await anAdmin(desk)
  const { authenticator, passkey } = await enrol(admin)
  expect(passkey).toMatchObject({ name: 'Laptop', counter: 0, transports: ['internal'] })
  for (let count = 1; count <= 2; count++) {
    const { person, opened } = await come(authenticator)
    expect(person).toEqual(admin)
    expect(opened.session.proof).toBe('passkey')
    expect(await callerOfSession(desk, opened.secret)).toMatchObject({ person: admin.id })
    expect((await desk.passkeys.find(passkey.id))?.counter).toBe(count)
  }
})

test.each([
  ['for another origin', { origin: 'https://ken.example.org' }],
  ['for a page below another name', { origin: 'https://evil.ken.example.com' }],
  ['for another server', { rpId: 'example.org' }],
  ['for another challenge', { challenge: 'AAAA' }],
  ['without a proof of the person to their authenticator', { isVerified: false }],
] as const)('a credential signed %s is refused at registration and at sign-in', async (_name, slips) => {
  const admin = await anAdmin(desk)
  await expect(enrol(admin, slips)).rejects.toMatchObject(REFUSED)
  const { authenticator } = await enrol(admin)
  await expect(come(authenticator, slips)).rejects.toMatchObject(REFUSED)
  await expect(come(authenticator)).resolves.toMatchObject({ person: { id: admin.id } })
})

test('an assertion works once, in time, and only for the browser that requested it', async () => {
  const { authenticator } = await enrol(await anAdmin(desk))
  const { attempt, options } = await askForSignature(parts, id())
  const response = authenticator.get(options as Creation)
  const other = await askForSignature(parts, id())
  const give = (to: string) => signInWithPasskey(parts, { attempt: to, response, userAgent: null })
  await expect(give(other.attempt)).rejects.toMatchObject(REFUSED)
  await expect(give(attempt)).resolves.toBeDefined()
  await expect(give(attempt)).rejects.toMatchObject(REFUSED)
  const late = await askForSignature(parts, id())
  desk.wait(5)
  await expect(
    signInWithPasskey(parts, {
      attempt: late.attempt,
      response: authenticator.get(late.options as Creation),
      userAgent: null,
    }),
  ).rejects.toMatchObject(REFUSED)
})

test('a cloned passkey with a lower counter is rejected', async () => {
  const { authenticator } = await enrol(await anAdmin(desk))
  await come(authenticator, { counter: 7 })
  await expect(come(authenticator, { counter: 7 })).rejects.toMatchObject(REFUSED)
  await expect(come(authenticator, { counter: 3 })).rejects.toMatchObject(REFUSED)
  await expect(come(authenticator, { counter: 8 })).resolves.toBeDefined()
})

test('an unknown passkey, a foreign signature and a foreign name get the same refusal', async () => {
  const [admin, other] = [await anAdmin(desk), await anAdmin(desk)]
  const [{ authenticator }, theirs] = [await enrol(admin), await enrol(other)]
  const stranger = new SoftwareAuthenticator(ORIGIN)
  await expect(come(stranger)).rejects.toMatchObject(REFUSED)
  const { attempt, options } = await askForSignature(parts, id())
  const mine = authenticator.get(options as Creation) as { response: { userHandle: string } }
  const handle = (theirs.authenticator.get(options as Creation) as typeof mine).response.userHandle
  const mixed = { ...mine, response: { ...mine.response, userHandle: handle } }
  await expect(signInWithPasskey(parts, { attempt, response: mixed, userAgent: null })).rejects.toMatchObject(REFUSED)
  for (const response of [
    undefined,
    null,
    'x',
    {},
    { id: 'x' },
    { ...mine, response: { ...mine.response, signature: '' } },
  ]) {
    const asked = await askForSignature(parts, id())
    await expect(signInWithPasskey(parts, { attempt: asked.attempt, response, userAgent: null })).rejects.toMatchObject(
      REFUSED,
    )
  }
})

test('a passkey cannot be added for another person, and does not admit a former member', async () => {
  const admin = await anAdmin(desk)
  const member = await aPerson(desk, admin.organisation, 'member')
  const { attempt, options } = await askForPasskey(parts, admin.id)
  const response = new SoftwareAuthenticator(ORIGIN).create(options as Creation)
  await expect(addPasskey(parts, { person: member.id, attempt, response, name: '' })).rejects.toMatchObject(REFUSED)
  const { authenticator } = await enrol(member)
  await desk.people.leave(admin.organisation, member.id, desk.clock.now().toISOString())
  await expect(come(authenticator)).rejects.toMatchObject(REFUSED)
  await expect(askForPasskey(parts, member.id)).rejects.toMatchObject(REFUSED)
})
