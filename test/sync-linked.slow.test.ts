import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { secretRedactor } from '../src/kernel/domain/secrets/redact.ts'
import { openLease } from '../src/kernel/lease/sqlite/index.ts'
import type { RegisteredProject } from '../src/kernel/ports/projects.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openTeamCopy } from '../src/team/adapters/sqlite-team-copy.ts'
import type { TeamLinks } from '../src/team/ports/team-links.ts'
import { linkState, syncLinked, syncUnlessNext, type LinkedParts } from '../src/team/sync-linked.ts'
import { openTeamServer } from '../src/team/team-record/http/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { PROJECT } from './file-record.ts'
import { serveRecord } from './team/record-server.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-linked-'))
const open: { close(): Promise<void> }[] = []
let made = 0
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const ADA = '01JQADA0000000000000000000'
const CALLER = {
  person: ADA,
  organisation: 'one',
  role: 'member',
  through: 'token',
  scopes: ['read', 'write'],
  projects: undefined,
} as const

/** A linked record with one change, and the team's empty record. */
async function machine(url?: string) {
  const [store, team] = await Promise.all([1, 2].map(() => openMemoryStore({ project: PROJECT, clock: stepClock() })))
  const standing = { project: PROJECT.id, organisation: 'one', role: 'member' } as const
  const served = await serveRecord(team!, { caller: CALLER, standing })
  open.push(served)
  const server = url ?? served.url
  const folder = join(base, String(++made))
  const links: Pick<TeamLinks, 'server' | 'copy' | 'lease'> = {
    server: async () => openTeamServer({ url: server, token: 't', firstPause: 1 }),
    copy: async () => openTeamCopy(join(folder, 'team.db')),
    lease: async (_project, purpose) => openLease(join(folder, `${purpose}.db`)),
  }
  const project: RegisteredProject = { ...PROJECT, repositories: [], present: true, team: { server, person: ADA } }
  await store!.commit({ surface: 'cli', user: ADA }, async (draft) => draft.write('stack.md', '# Stack\n'))
  const parts: LinkedParts = {
    links: links as TeamLinks,
    project,
    store: store!,
    redactor: secretRedactor,
    clock: stepClock(),
  }
  return { parts, team: team!, state: () => linkState(parts.links, project, store!) }
}

test('pending changes are counted until sent, and the time of the sync is stored', async () => {
  const { parts, team, state } = await machine()
  expect(await state()).toEqual({ last: undefined, waiting: 1, asked: [] })
  expect(await syncLinked(parts)).toMatchObject({ pushed: 1 })
  expect(await team.read('stack.md')).toBe('# Stack\n')
  expect(await state()).toMatchObject({ waiting: 0, last: { failure: undefined, doneAt: expect.any(String) } })
})

test('a failed sync stores its reason, and keeps the time of the last success', async () => {
  const { parts, state } = await machine('http://127.0.0.1:9')
  await expect(syncLinked(parts)).rejects.toMatchObject({ code: 'unavailable' })
  const { waiting, last } = await state()
  expect([waiting, last?.doneAt, last?.failure]).toEqual([1, undefined, expect.stringMatching(/cannot be reached/)])
})

test('a background sync yields to one that is queued; an explicit one does not', async () => {
  const { parts, team } = await machine()
  const next = await parts.links.lease(parts.project, 'next')
  const giveBack = next.tryTake()!
  expect(await syncUnlessNext(parts)).toMatchObject({ pushed: 0 })
  expect(await team.list()).toEqual([])
  expect(await syncLinked(parts)).toMatchObject({ pushed: 1 })
  giveBack()
  next.close()
  expect(await syncUnlessNext(parts)).toMatchObject({ pulled: 0, pushed: 0 })
})

test('two concurrent syncs send a change once', async () => {
  const { parts, team } = await machine()
  const both = await Promise.all([syncLinked(parts), syncLinked(parts)])
  expect(both.map(({ pushed }) => pushed).sort()).toEqual([0, 1])
  expect((await team.history.lines()).length).toBe((await parts.store.history.lines()).length)
})

test('a change with a secret is not sent', async () => {
  const { parts, team } = await machine()
  const secret = `AKIA${'QX7TZP4M'}${'W2LRB6KD'}`
  await parts.store.commit({ surface: 'cli' }, async (draft) => draft.write('project.md', `Key ${secret}\n`))
  await expect(syncLinked(parts)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Found a secret in project.md: nothing was sent.',
  })
  expect(await team.list()).toEqual([])
})
