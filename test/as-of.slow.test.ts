import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openPastRecords } from '../src/app/open-past.ts'
import type { Clock } from '../src/kernel/ports/clock.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openRepository } from '../src/record/repository/index.ts'
import { openFileStore } from '../src/record/store/files/index.ts'
import { decisionFile } from './contract/decision-text.ts'
import { stepClock } from './contract/step-clock.ts'
import { makeClone, propose, update, type Clone } from './merge/repository.ts'
import { openTruthDesk } from './truth-desk.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-as-of-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
let places = 0

/** A clock that stays at the time it is set to. */
function calendar(start: string): Clock & { turn(to: string): void } {
  let now = new Date(start)
  return { ...stepClock(), uuid: randomUUID, now: () => now, turn: (to) => void (now = new Date(to)) }
}

async function textsOf(store: Store): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const path of await store.list()) texts[path] = (await store.read(path))!
  return texts
}

test('for any changes, the record as of each event equals the record at that time, byte for byte', async () => {
  const path = fc.constantFrom('project.md', 'stack.md', 'decisions/001-a.md', 'decisions/002-b.md', 'decisions/x.md')
  const text = fc.oneof(
    fc.string({ maxLength: 40, unit: 'binary' }),
    fc.constantFrom(...[1, 2].map((n) => decisionFile(n, 'A')[1])),
  )
  const origin = fc.constantFrom({ surface: 'cli' } as const, { surface: 'mcp-stdio' } as const)
  const step = fc.record({ origin, files: fc.array(fc.tuple(path, fc.option(text)), { minLength: 1, maxLength: 3 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const place = join(base, String(++places))
      const clock = calendar('2026-01-01T00:00:00Z')
      const project = { id: '01JQ0000000000000000000000', name: 'any', mode: 'local', location: place } as const
      const [root, cacheDir, stateDir] = ['record', 'cache', 'state'].map((name) => join(place, name)) as [
        string,
        string,
        string,
      ]
      const store = await openFileStore({ root, cacheDir, stateDir, project, clock })
      const seen: { at: string; texts: Record<string, string>; decisions: unknown }[] = []
      for (const [n, change] of steps.entries()) {
        clock.turn(new Date(Date.UTC(2026, 0, 2 + n)).toISOString())
        await store.commit(change.origin, async (draft) => {
          for (const [file, said] of change.files) void (said === null ? draft.remove(file) : draft.write(file, said))
          draft.snapshot(`step ${n}`)
        })
        const { decisions } = await store.catalogue()
        seen.push({ at: clock.now().toISOString(), texts: await textsOf(store), decisions })
      }
      clock.turn('2026-02-01T00:00:00Z')
      const past = openPastRecords({ clock })
      for (const { at, texts, decisions } of seen) {
        const then = await past(store, at, async () => undefined)
        expect([await textsOf(then), (await then.catalogue()).decisions, then.asOf!.unknown]).toEqual([
          texts,
          decisions,
          [],
        ])
      }
      await store.close()
    }),
    { numRuns: 60 },
  )
})

describe('a record in git', () => {
  const asOf = async (clone: Clone, clock: Clock, moment: string) => {
    const store = await clone.open()
    const repository = await openRepository(clone.path)
    const then = await openPastRecords({ clock })(store, moment, async () => repository)
    const { decisions } = await then.catalogue()
    const said = {
      titles: decisions.map((d) => `${d.title}${d.status === 'active' ? '' : ' (superseded)'}`),
      ...then.asOf!,
    }
    const texts = await textsOf(then)
    await store.close()
    return { ...said, texts }
  }

  test('a fresh clone has no snapshots, and reads the texts from the git history', async () => {
    const clock = calendar('2026-01-05T10:00:00Z')
    const here = makeClone(join(base, 'texts', 'here'), clock)
    await here.change('one', (store) => propose(store, 'Redis for hot reads'))
    clock.turn('2026-02-05T10:00:00Z')
    await here.change('two', (store) => update(store, 1, 'Measured again.'))
    const middle = await asOf(here, clock, '2026-02-10')
    clock.turn('2026-03-05T10:00:00Z')
    await here.change('three', (store) => propose(store, 'Memcached for hot reads', { supersedes: '1' }))
    clock.turn('2026-04-05T10:00:00Z')
    const there = makeClone(join(base, 'texts', 'there'), clock, here.path)
    const found = await asOf(there, clock, '2026-02-10')
    expect([found.texts, found.unknown]).toEqual([middle.texts, []])
    expect((await asOf(there, clock, '2026-01-10')).titles).toEqual(['Redis for hot reads'])
    expect((await asOf(there, clock, '2026-03-10')).titles).toEqual([
      'Redis for hot reads (superseded)',
      'Memcached for hot reads',
    ])
  })

  test('a commit returns its record, by hash, tag, branch and HEAD~n; a date returns all decisions until then', async () => {
    const clock = calendar('2026-01-05T10:00:00Z')
    const here = makeClone(join(base, 'branches', 'here'), clock)
    await here.change('one', (store) => propose(store, 'First of all'))
    here.git('branch', 'side')
    clock.turn('2026-02-05T10:00:00Z')
    await here.change('two', (store) => propose(store, 'On main'))
    here.git('tag', 'v1.0')
    here.git('checkout', '-q', 'side')
    clock.turn('2026-02-20T10:00:00Z')
    await here.change('three', (store) => propose(store, 'On the side'))
    here.git('checkout', '-q', 'main')
    clock.turn('2026-06-01T10:00:00Z')
    expect((await asOf(here, clock, 'side')).notes).toEqual([
      'Left out: 1 event of that commit, from a branch that is not merged here.',
    ])
    here.git('merge', '-q', '--no-edit', 'side')
    await here.change('settled', async () => undefined).catch(() => undefined)
    clock.turn('2026-07-01T10:00:00Z')

    expect((await asOf(here, clock, '2026-01-31')).titles).toEqual(['First of all'])
    expect((await asOf(here, clock, '2026-02-10')).titles).toEqual(['First of all', 'On main'])
    // Decided on a branch by then, but merged months later.
    expect((await asOf(here, clock, '2026-02-28')).titles.toSorted()).toEqual([
      'First of all',
      'On main',
      'On the side',
    ])
    const tagged = await asOf(here, clock, 'v1.0')
    expect([tagged.titles, tagged.named, tagged.notes]).toEqual([
      ['First of all', 'On main'],
      `commit ${here.git('rev-parse', 'v1.0').slice(0, 10)}`,
      [],
    ])
    const side = here.git('rev-parse', 'side').trim()
    for (const name of ['side', side, side.slice(0, 8)])
      expect((await asOf(here, clock, name)).titles).toEqual(['First of all', 'On the side'])
    expect((await asOf(here, clock, 'v1.0~1')).titles).toEqual(['First of all'])
    expect((await asOf(here, clock, 'HEAD')).titles.toSorted()).toEqual(['First of all', 'On main', 'On the side'])
  })

  test('a commit without the record is resolved by its time, and this is reported', async () => {
    const clock = calendar('2026-01-05T10:00:00Z')
    const here = makeClone(join(base, 'bare', 'here'), clock)
    here.git('commit', '-q', '--allow-empty', '-m', 'nothing yet', '--date', '2026-01-01T00:00:00Z')
    await here.change('one', (store) => propose(store, 'First of all'))
    clock.turn('2030-01-01T00:00:00Z')
    const before = await asOf(here, clock, 'HEAD~1')
    expect(before.notes).toEqual(['That commit does not carry the record: this is what the journal tells of its time.'])
  })

  test('no revision is passed as a git option', async () => {
    const clock = calendar('2026-01-05T10:00:00Z')
    const here = makeClone(join(base, 'options', 'here'), clock)
    await here.change('one', (store) => propose(store, 'First of all'))
    for (const name of [
      '--all',
      '-n1',
      '--output=stolen',
      '--upload-pack=touch stolen',
      '..',
      ':(attr)',
      'HEAD:.ken',
      'HEAD^{tree}',
    ])
      await expect(asOf(here, clock, name)).rejects.toMatchObject({ code: 'not_found' })
    expect(here.git('status', '--porcelain')).toBe('')
  })
})

test('redacted text does not return through the past, not even from the git history', async () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'.slice(0, 36)}`
  const desk = await openTruthDesk('repo')
  try {
    const store = await desk.store()
    const write = (text: string, snapshot: boolean) =>
      store.commit({ surface: 'cli' }, async (draft) => {
        draft.write('project.md', text)
        if (snapshot) draft.snapshot('change')
      })
    // Written directly to the store, because operations would redact it. The second text is only in git.
    await write(`The token is ${secret}.\n`, true)
    desk.git('add', '-A')
    desk.git('commit', '-qm', 'one')
    await write(`Once more: ${secret}, for good.\n`, false)
    const between = (await store.journal()).at(-1)!.at
    desk.git('add', '-A')
    desk.git('commit', '-qm', 'two')
    await write(`It is still ${secret}.\n`, true)
    expect((await desk.context().record(undefined, { asOf: between })).asOf!.unknown).toEqual([])
    await desk.run('redact', { yes: true })
    for (const asOf of [between, 'HEAD', 'HEAD~1', 'now', '2030-01-01']) {
      const then = await desk.context().record(undefined, { asOf })
      expect([asOf, JSON.stringify(await textsOf(then)).includes(secret)]).toEqual([asOf, false])
    }
    const then = await desk.context().record(undefined, { asOf: between })
    expect([await then.read('project.md'), then.asOf!.unknown]).toEqual([undefined, ['project.md']])
    expect(await (await desk.context().record(undefined, { asOf: 'now' })).read('project.md')).toContain('[redacted')
  } finally {
    await desk.close()
  }
})
