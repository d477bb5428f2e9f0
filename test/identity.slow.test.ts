import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { lastingId, readNamed } from '../src/record/named-decision.ts'
import { propose } from '../src/record/propose.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { planUndo, undo } from '../src/record/undo.ts'
import { syncTeam } from '../src/team/sync-team.ts'
import { offerRecord } from '../src/team/team-record/store.ts'
import { stepClock } from './contract/step-clock.ts'
import { dailySample } from './daily-sample.ts'
import { PROJECT } from './file-record.ts'
import { openHome, type Home } from './team/home.ts'
import { dice } from './team/random-edits.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-identity-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const REASON = 'It was tried, and it holds under the load of a Friday evening.'
let made = 0

async function twoHomes() {
  const folder = join(base, `pair-${++made}`)
  const homes = [await openHome(join(folder, 'a'), 1), await openHome(join(folder, 'b'), 2)] as const
  const team = offerRecord(await openMemoryStore({ project: PROJECT, clock: stepClock('2026-01-01T00:00:00.000Z') }))
  const sync = (home: Home) => syncTeam({ store: home.store, copy: home.copy, team })
  const add = (home: Home, title: string) =>
    propose(home.ctx, home.store, { title, rationale: REASON, operation: 'add' })
  const supersede = (home: Home, id: string, title: string) =>
    propose(home.ctx, home.store, { title, rationale: REASON, operation: 'supersede', affected_decision_id: id })
  const numbers = async ({ store }: Home) =>
    Object.fromEntries((await store.catalogue()).decisions.map(({ num, title }) => [title, num]))
  return { homes, sync, add, supersede, numbers, close: () => Promise.all(homes.map((home) => home.close())) }
}

describe('a renumbered decision', () => {
  test('is reported if its old number is read, and needs confirmation before a change', async () => {
    const { homes, sync, add, supersede, numbers, close } = await twoHomes()
    const [a, b] = homes
    await add(a, 'Log with pino')
    await sync(a)
    await sync(b)
    await add(a, 'Cache in the process')
    await add(b, 'Queue jobs in Postgres')
    await sync(a)
    await sync(b)
    expect(await numbers(b)).toEqual({ 'Log with pino': 1, 'Cache in the process': 2, 'Queue jobs in Postgres': 3 })
    const catalogue = await b.store.catalogue()
    expect(readNamed(catalogue, 2)).toMatchObject({
      entry: { title: 'Cache in the process' },
      note: expect.stringMatching(/^D003 "Queue jobs in Postgres" was called D002 until 2026-03-01\.$/),
    })
    const id = lastingId(catalogue, readNamed(catalogue, 2)!.entry)!
    expect(await supersede(b, 'D2', 'Queue jobs in Redis')).toMatchObject({
      status: 'rejected',
      error: {
        reason: `D002 has changed hands, so nothing was written. Say D003 for "Queue jobs in Postgres", which was called D002 until 2026-03-01, or ${id} for "Cache in the process", which is D002 now.`,
      },
    })
    // On the other machine, D2 never referred to another decision.
    await sync(a)
    expect((await supersede(a, 'D2', 'Cache in memory')).assessment).toBe(
      'Recorded as D004 "Cache in memory"; it supersedes D002 "Cache in the process".',
    )
    expect((await supersede(b, id, 'Cache at the edge')).assessment).toContain(
      'it supersedes D002 "Cache in the process"',
    )
    await close()
  })

  test('has one permanent id on every machine, regardless of its number', async () => {
    const { homes, sync, add, close } = await twoHomes()
    const [a, b] = homes
    await add(a, 'Cache in the process')
    await add(b, 'Queue jobs in Postgres')
    const before = await idsOf(b)
    await sync(a)
    await sync(b)
    await sync(a)
    expect(await idsOf(a)).toEqual(await idsOf(b))
    expect(await idsOf(b)).toMatchObject(before)
    expect(Object.values(await idsOf(a))).toEqual([
      expect.stringMatching(/^d_\w{7}$/),
      expect.stringMatching(/^d_\w{7}$/),
    ])
    await close()
  })
})

const idsOf = async ({ store }: Home) => {
  const catalogue = await store.catalogue()
  return Object.fromEntries(catalogue.decisions.map((entry) => [entry.title, lastingId(catalogue, entry)]))
}

test('an assigned number is not reused after an undo', async () => {
  const { homes, add, numbers, close } = await twoHomes()
  const [a] = homes
  await add(a, 'Log with pino')
  await add(a, 'Cache in the process')
  await undo(a.ctx, a.store, await planUndo(a.store), 'undo')
  await add(a, 'Queue jobs in Postgres')
  expect(await numbers(a)).toEqual({ 'Log with pino': 1, 'Queue jobs in Postgres': 3 })
  await close()
})

const SEEDS = Array.from({ length: 50 }, (_, i) => i + 1)

test.each(dailySample('two homes offline', SEEDS, 15))(
  'a number never supersedes an unintended decision (seed %i)',
  async (seed) => {
    const { homes, sync, add, supersede, close } = await twoHomes()
    const roll = dice(seed)
    // The decision that each home expects under a number: as last listed, or as recorded since.
    const believed = homes.map(() => new Map<number, string>())
    const look = async (who: number) => {
      const { decisions } = await homes[who]!.store.catalogue()
      believed[who] = new Map(decisions.filter(({ status }) => status === 'active').map((d) => [d.num, d.title]))
    }
    let superseded = 0
    for (let step = 0; step < 24; step++) {
      const who = roll(2)
      const home = homes[who]!
      const action = roll(6)
      if (action <= 1) {
        const title = `Choice ${seed} ${step}`
        const { decision_id: id } = await add(home, title)
        believed[who]!.set(Number(id!.slice(0, 3)), title)
      } else if (action === 2) await sync(home)
      else if (action === 3) await look(who)
      else {
        const known = [...believed[who]!]
        const [num, meant] = known[roll(Math.max(1, known.length))] ?? []
        if (num === undefined) continue
        const done = await supersede(home, `D${num}`, `Successor ${seed} ${step}`)
        if (done.status === 'rejected') continue
        superseded++
        const { decisions } = await home.store.catalogue()
        const old = decisions.find(({ stem }) => stem === done.touched_decisions[1])
        expect(old?.title).toBe(meant)
        believed[who]!.delete(num)
        believed[who]!.set(Number(done.decision_id!.slice(0, 3)), `Successor ${seed} ${step}`)
      }
    }
    expect(superseded).toBeGreaterThan(0)
    await close()
  },
)
