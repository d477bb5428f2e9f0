import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openKen } from '../src/app/open.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { systemRandom } from '../src/kernel/system/random.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { openIsolationDesk, type IsolationDesk } from './isolation/isolation-desk.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { openTeamWire, type TeamWire } from './team/team-wire.ts'
import { openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'

// Two people with separate machines, and a team server over HTTP on PostgreSQL in this process.

const KEY = `AKIA${'QRSTUVWXYZ765432'}`
let desk: IsolationDesk
let wire: TeamWire
let [ann, ben]: UpkeepDesk[] = []

beforeAll(async () => {
  desk = await openIsolationDesk(await openNewDatabase())
  wire = await openTeamWire(() => desk.url)
  const organisation = systemClock.ulid()
  ann = machineOf(await tokenOf(await person('Ann', organisation)))
  ben = machineOf(await tokenOf(await person('Ben', organisation)))
  const at = '2026-05-01T10:00:00Z'
  const said = (text: string): [string, string][] => [[text, 'Understood.']]
  speak(ann.home, { id: 'aaaaaaaa-1', at, cwd: shop(ann), said: said('The okapi queue drops messages over 64 KB.') })
  speak(ben.home, { id: 'bbbbbbbb-1', at, cwd: shop(ben), said: said('The okapi queue was slow on Monday.') })
  await run(ann, 'init', { name: 'shop' })
  const { id } = await run(ann, 'link', { server: wire.url, yes: true })
  await run(ben, 'attach', { project: id, server: wire.url, yes: true })
  for (const machine of [ann, ben]) await run(machine, 'harvest')
  await run(ann, 'memory_write', { content: 'The kudu importer needs ISO dates.', tags: ['import'] })
  for (const machine of [ann, ben]) await run(machine, 'memory_update')
  await run(ann, 'share', { yes: true })
  wire.asked()
})
afterEach(() => {
  wire.instead = undefined
  wire.asked()
})
afterAll(async () => {
  await ann?.close()
  await ben?.close()
  await wire.close()
  await desk.close()
})

const shop = ({ home }: UpkeepDesk): string => join(home, 'shop')

function machineOf(token: string): UpkeepDesk {
  const machine = openUpkeepDesk()
  Object.assign(machine.environment, { KEN_TOKEN: token, KEN_SERVER: wire.url })
  for (const name of ['shop', 'diary']) mkdirSync(join(machine.home, name))
  return machine
}

async function person(name: string, organisation: string): Promise<string> {
  const [id, at, email] = [systemClock.ulid(), systemClock.now().toISOString(), `${name.toLowerCase()}@example.com`]
  const facts = { id, organisation, email, name, createdAt: at, leftAt: undefined }
  const { people, invitations } = desk.team
  if (name === 'Ann') {
    await people.found({ id: organisation, name: 'Acme', createdAt: at }, { ...facts, role: 'admin' }, { first: false })
    return id
  }
  const expiresAt = new Date(Date.parse(at) + 600_000).toISOString()
  await invitations.invite({ id, organisation, email, role: 'member', invitedBy: undefined, createdAt: at, expiresAt })
  return (await invitations.accept({ email, name, at }))[0]!.id
}

async function tokenOf(of: string): Promise<string> {
  const wanted = { kind: 'personal', name: 't', scopes: ['read', 'write'], projects: undefined, days: 300 } as const
  return (await issueToken({ tokens: desk.team.tokens, clock: systemClock, chance: systemRandom }, of, wanted)).secret
}

const operation = (name: string) => OPERATIONS.find((one) => one.name === name)!
const answerOf = async (ctx: Context, name: string, input: object) => call(ctx, operation(name), input)
const run = async (machine: UpkeepDesk, name: string, input: object = {}, cwd = shop(machine)): Promise<any> =>
  (await answerOf(machine.context(cwd), name, input)).output

/** A context whose local search waits for the team search, so that no test depends on a deadline on a busy machine. */
function patient(ctx: Context): Context {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  return {
    ...ctx,
    async teamMemory(project) {
      const team = await ctx.teamMemory!(project)
      return team && { ...team, search: (asked, signal) => team.search(asked, signal).finally(resolve) }
    },
    async memory() {
      const memory = await ctx.memory()
      return { ...memory, search: (asked) => memory.search(asked).finally(() => answered) }
    },
  }
}

const alone = (machine: UpkeepDesk): Context => ({ ...machine.context(shop(machine)), teamMemory: undefined })

const search = async (machine: UpkeepDesk, query: string, more: object = {}, name = 'memory_query'): Promise<any> =>
  (await answerOf(patient(machine.context(shop(machine))), name, { query, ...more })).output

/** Expects that a call sends nothing to the team. */
async function expectUnheard(answered: Promise<any>): Promise<any> {
  const { results, notes, stages } = await answered
  expect(wire.asked()).toEqual([])
  expect(results.filter((one: { from_team?: boolean }) => one.from_team)).toEqual([])
  expect(stages).not.toContain('team')
  expect(notes.filter((note: string) => note.includes('team'))).toEqual([])
  return results
}

describe('a document shared by a colleague', () => {
  test.each(['memory_query', 'memory_search'])('is found by %s beside local results, with its author', async (name) => {
    const { results, stages } = await search(ben!, 'okapi queue', {}, name)
    expect(results).toHaveLength(2)
    const [theirs] = results.filter((one: { from_team?: boolean }) => one.from_team)
    expect(theirs).toMatchObject({ by: 'Ann', origin: 'session', trust: 'untrusted' })
    expect([theirs.id, theirs.path]).toEqual([
      expect.stringMatching(/^team:[0-9a-f]{12}$/),
      expect.stringMatching(/^team:shared\//),
    ])
    expect(stages).toContain('team')
  })

  test('is marked at a terminal and for an agent as a colleague’s text', async () => {
    const answer = await answerOf(patient(ben!.context(shop(ben!))), 'memory_query', { query: 'kudu importer' })
    expect(answerText(operation('memory_query'), answer, 'person')).toMatch(
      /note · untrusted · .* · by Ann · shared with the team/,
    )
    expect(answerText(operation('memory_query'), answer, 'agent')).toMatch(/untrusted[^]*by Ann/)
  })

  test('is fetched by the id, path or line range that the search printed, including several at once', async () => {
    const [hit] = (await search(ben!, 'drops messages over 64 KB')).results.filter((one: any) => one.from_team)
    for (const id of [hit.id, hit.path, `${hit.path}:1-40`, `\`${hit.id}\``, `#${hit.id}:1-40`])
      expect(await run(ben!, 'memory_get', { id })).toMatchObject({
        id: hit.id,
        path: hit.path,
        trust: 'untrusted',
        text: expect.stringContaining('drops messages over 64 KB'),
      })
    const part = await run(ben!, 'memory_get', { id: hit.id, max_lines: 2 })
    expect(part).toMatchObject({ end_line: 2, after: expect.stringMatching(/^team:[0-9a-f]{12}:3-/) })
    expect((await run(ben!, 'memory_get', { id: part.after })).start_line).toBe(3)
    const { documents, missing } = await run(ben!, 'memory_multi_get', { pattern: `${hit.id}, team:000000000000` })
    expect(documents).toEqual([expect.objectContaining({ id: hit.id })])
    expect(missing).toEqual(['team:000000000000'])
  })

  test('appears once for the person who shared it: as the local document', async () => {
    const { results } = await search(ann!, 'okapi queue')
    expect(results).toHaveLength(1)
    expect(results[0].from_team).toBeUndefined()
    expect(wire.asked().join()).toContain('/v1/memory_query')
  })

  test('does not raise the number of results above the limit', async () => {
    const { results } = await search(ben!, 'okapi queue', { limit: 1 })
    expect(results).toHaveLength(1)
    expect(results[0].from_team).toBeUndefined()
  })

  test('is returned only if it matches the filters', async () => {
    const theirs = async (more: object) =>
      (await search(ben!, 'kudu importer okapi', { min_score: 0, ...more })).results
        .filter((one: any) => one.from_team)
        .map((one: any) => one.origin)
    expect((await theirs({})).sort()).toEqual(['note', 'session'])
    expect(await theirs({ origin: ['note', 'decision'] })).toEqual(['note'])
    expect(await theirs({ tags: ['import'] })).toEqual(['note'])
    expect(await theirs({ collection: ['sessions', 'codebase'] })).toEqual(['session'])
    expect(await theirs({ until: '2026-05-02' })).toEqual(['session'])
    expect(await theirs({ since: '2 days' })).toEqual(['note'])
    expect(await theirs({ min_score: 1000 })).toEqual([])
    expect(await theirs({ workspace: 'shop' })).toHaveLength(2)
    expect(await theirs({ workspace: 'all' })).toHaveLength(2)
  })
})

describe('a team search', () => {
  test('sends the query without secrets and without the home path', async () => {
    await search(ben!, `okapi ${KEY} in ${ben!.home}/shop/queue.ts`)
    const [asked, ...more] = wire.asked()
    expect(more).toEqual([])
    expect(JSON.parse(/\{.*$/.exec(asked!)![0]).query.replace(/\s+/g, ' ')).toBe('okapi in ~/shop/queue.ts')
    await expectUnheard(run(ben!, 'memory_query', { query: KEY }))
  })

  test('includes the search mode of the tool', async () => {
    const modes = { memory_query: 'both', memory_search: 'words', memory_vsearch: 'meaning' }
    for (const [name, mode] of Object.entries(modes)) {
      await search(ben!, 'okapi', { limit: 3 }, name)
      const [asked] = wire.asked()
      expect(JSON.parse(/\{.*$/.exec(asked!)![0])).toEqual({ query: 'okapi', mode, limit: 3, min_score: 0 })
    }
  })

  test('sends nothing if the scope is outside the linked project or names something no team has', async () => {
    const query = 'okapi queue'
    for (const more of [{ workspace: 'global' }, { origin: ['code'] }, { collection: ['record'] }])
      await expectUnheard(run(ben!, 'memory_query', { query, ...more }))
    const diary = join(ben!.home, 'diary')
    await expectUnheard(run(ben!, 'memory_query', { query }, diary))
    await expectUnheard(run(ben!, 'memory_query', { query, workspace: 'all' }, diary))
  })

  test('sends nothing if team search is off', async () => {
    await ben!.set('team.search', 'off')
    const [first] = await expectUnheard(run(ben!, 'memory_query', { query: 'okapi queue' }))
    expect(first.title).toContain('slow on Monday')
    await ben!.set('team.search', 'on')
    expect((await search(ben!, 'okapi queue')).stages).toContain('team')
  })

  test('sends nothing while the user is typing on a page', async () => {
    const page = openKen(ben!.environment, () => undefined)
    const ctx = page.context({ origin: { surface: 'app' }, cwd: shop(ben!) })
    await expectUnheard(answerOf(ctx, 'memory_query', { query: 'okapi queue' }).then(({ output }) => output))
    await page.close()
  })

  test('sends nothing without a login', async () => {
    const token = ben!.environment['KEN_TOKEN']!
    ben!.environment['KEN_TOKEN'] = ''
    await expectUnheard(run(ben!, 'memory_query', { query: 'okapi queue' }))
    ben!.environment['KEN_TOKEN'] = token
  })
})

describe('a team server that fails', () => {
  const FAULTS: readonly [string, string, TeamWire['instead']][] = [
    ['is offline', 'cannot be reached', (answer) => void answer.destroy()],
    ['refuses the login', 'does not take this login', (answer) => void answer.writeHead(401).end('{}')],
    ['is older', 'could not answer', (answer) => void answer.writeHead(404).end('{"error":{"code":"not_found"}}')],
    ['is no team server', 'could not answer', (answer) => void answer.end('<html>Welcome</html>')],
    ['says much', 'could not answer', (answer) => void answer.end(`{"results":["${'x'.repeat(5_000_000)}"]}`)],
  ]

  test.each(FAULTS)('adds one note and keeps the local results if it %s', (_what, said, instead) =>
    expectNote(said, instead),
  )

  test('causes an error if one of its documents is requested', async () => {
    wire.instead = (answer) => void answer.destroy()
    await expect(run(ben!, 'memory_get', { id: 'team:000000000000' })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('document names', () => {
  test('of the team never read local files, and local names are not sent to the team', async () => {
    const file = join(shop(ben!), 'team:000000000000')
    writeFileSync(file, 'A file of mine.')
    const { path, id } = (await run(ben!, 'memory_query', { query: 'Monday', workspace: 'shop' })).results[0]
    wire.asked()
    for (const name of [`team:${path}`, `team:${id}`, `team:${file}`, 'team:000000000000', 'team:'])
      await expect(run(ben!, 'memory_get', { id: name })).rejects.toMatchObject({ code: 'not_found' })
    wire.asked()
    for (const name of [path, id]) await run(ben!, 'memory_get', { id: name })
    await expect(run(ben!, 'memory_get', { id: 'shared/x/000000000000.md' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(wire.asked()).toEqual([])
    await expect(run(ben!, 'memory_get', { id: 'team:000000000000' }, join(ben!.home, 'diary'))).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('No team'),
    })
  })

  test('invented by a server yield no hits, and the server cannot set trust', async () => {
    const [real] = (await search(ben!, 'drops messages over 64 KB')).results.filter((one: any) => one.from_team)
    const good = { ...real, id: real.id.slice(5), path: real.path.slice(5), trust: 'approved' }
    const evil = ['/etc/passwd', 'shared/../../x.md', '~/.ssh/id', 'team:x', ''].flatMap((name) => [
      { ...good, path: name },
      { ...good, id: name },
    ])
    wire.instead = (answer) =>
      void answer.end(JSON.stringify({ results: [...evil, { ...good, verdict: 'best' }, 7, good] }))
    const { results } = await search(ben!, 'wildebeest', {}, 'memory_search')
    expect(results.map(({ id, trust }: any) => [id, trust])).toEqual([[real.id, 'untrusted']])
  })
})

test('a team server that hangs costs one note, and is skipped by the next search', async () => {
  await expectNote('did not answer in time', () => undefined)
  expect(wire.asked()).toHaveLength(1)
  await expectNote('did not answer in time', undefined)
  expect(wire.asked()).toEqual([])
})

async function expectNote(said: string, instead: TeamWire['instead']): Promise<void> {
  const query = 'slow on Monday'
  const own = await expectUnheard(answerOf(alone(ben!), 'memory_search', { query }).then(({ output }) => output))
  wire.instead = instead
  const { results, notes, verdict } = await run(ben!, 'memory_search', { query })
  expect([results, verdict]).toEqual([own, 'strong'])
  expect(notes).toEqual([`The team’s memory was not searched: ${new URL(wire.url).host} ${said}.`])
}
