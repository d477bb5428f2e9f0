import { rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { openTruthDesk, type TruthDesk } from './truth-desk.ts'

let desk: TruthDesk
afterEach(() => desk.close())

const clean = async () => [(await desk.run('verify'))['discrepancies'], (await desk.run('doctor'))['flaws']]
const decisionOf = (stem: string) => `decisions/${stem}.md`

async function superseded(): Promise<string> {
  const old = await desk.propose('Sessions in cookies')
  await desk.propose('Sessions in the database', { operation: 'supersede', affected_decision_id: 'D2' })
  return decisionOf(old)
}

describe.for(['local', 'repo'] as const)('%s: repair', (mode) => {
  test('restores a decision with a damaged key byte for byte, and a superseded one stays superseded', async () => {
    desk = await openTruthDesk(mode)
    const path = await superseded()
    const sound = desk.read(path)
    for (const [from, to] of [
      ['status:', 'statue:'],
      ['superseded_by:', 'superseded_bx:'],
      ['status: superseded', 'status: supersedee'],
      ['---\n', '--!\n'],
    ] as const) {
      desk.put(path, sound.replace(from, to))
      const said = await desk.text('repair')
      expect(said).toContain('taken back from snapshot')
      expect(said).toContain(`-${to.trimEnd()}`.slice(0, 8))
      expect(desk.read(path)).toBe(sound)
      expect(await clean()).toEqual([[], []])
    }
  })

  test('keeps a readable edit, shows both texts, and undoes it on request', async () => {
    desk = await openTruthDesk(mode)
    const path = await superseded()
    const sound = desk.read(path)
    desk.put(path, sound.replace('status: superseded\n', 'status: active\n').replace(/superseded_by: .*\n/, ''))
    expect((await desk.run('doctor'))['flaws']).toContainEqual(expect.objectContaining({ kind: 'edited', path }))
    const said = await desk.text('repair')
    expect(said).toContain('+status: superseded')
    expect(desk.read(path)).not.toBe(sound)
    expect((await desk.run('verify'))['clean']).toBe(false)
    await desk.run('repair', { take_back: true })
    expect(desk.read(path)).toBe(sound)
    expect(await clean()).toEqual([[], []])
  })

  test('restores a deleted decision', async () => {
    desk = await openTruthDesk(mode)
    const path = await superseded()
    const sound = desk.read(path)
    unlinkSync(join(desk.root, path))
    expect((await desk.run('doctor'))['flaws']).toContainEqual(
      expect.objectContaining({ kind: 'missing', path, repair: expect.stringContaining('take it back from snapshot') }),
    )
    expect((await desk.run('repair', { dry_run: true }))['mended']).toEqual([expect.stringContaining(path)])
    await desk.run('repair')
    expect(desk.read(path)).toBe(sound)
    expect(await clean()).toEqual([[], []])
  })

  test('does not accept changes missing from the journal while it repairs something else', async () => {
    desk = await openTruthDesk(mode)
    const path = await superseded()
    desk.put(path, desk.read(path).replace('because that was measured', 'because that was invented'))
    desk.put('.decision-hashes.json', '{"x":{"decision_id":"099-gone","timestamp":""}}')
    desk.put('decisions/002-a-copy.md', desk.read(path).replace('Sessions in cookies', 'A copy'))
    await desk.run('repair')
    const paths = ((await desk.run('verify'))['discrepancies'] as { path: string }[]).map((d) => d.path)
    expect(paths).toEqual(expect.arrayContaining([path, 'decisions/002-a-copy.md']))
  })
})

test('repair restores bytes from git if no snapshot has them', async () => {
  desk = await openTruthDesk('repo')
  const path = await superseded()
  desk.git('add', '-A')
  desk.git('commit', '-qm', 'all')
  rmSync(join(desk.root, 'snapshots'), { recursive: true })
  const sound = desk.read(path)
  unlinkSync(join(desk.root, path))
  expect(await desk.text('repair')).toContain('taken back from commit')
  expect(desk.read(path)).toBe(sound)
})

test('repair reports where an older text can be found if the journalled text is lost', async () => {
  desk = await openTruthDesk('local')
  const path = await superseded()
  const store = await desk.store()
  await store.commit({ surface: 'cli' }, async (draft) =>
    draft.write(path, (await draft.read(path))!.replace('measured', 'measured twice')),
  )
  unlinkSync(join(desk.root, path))
  const left = (await desk.run('repair'))['left'] as { path: string; reason: string }[]
  expect(left).toContainEqual({
    path,
    message: expect.any(String),
    reason: expect.stringMatching(/ken restore v\d+ --files decisions/),
  })
})

describe('restore', () => {
  test('restores one file and keeps the others', async () => {
    desk = await openTruthDesk('local')
    const path = await superseded()
    const newest = ((await desk.run('log', { limit: 1 }))['snapshots'] as { version: number }[])[0]!.version
    const sound = desk.read(path)
    desk.put('project.md', '# Changed\n')
    unlinkSync(join(desk.root, path))
    expect(await desk.run('restore', { version: `v${newest}`, files: [path], yes: true })).toMatchObject({
      written: [path],
      removed: [],
    })
    expect([desk.read(path), desk.read('project.md')]).toEqual([sound, '# Changed\n'])
    await expect(desk.run('restore', { version: '1', files: ['decisions/099-x.md'] })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(desk.run('restore', { version: '1', files: ['../../x.md'] })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('lists the files that would be lost, asks for confirmation, and names a command that restores them', async () => {
    desk = await openTruthDesk('local')
    const { version } = ((await desk.run('log', { limit: 1 }))['snapshots'] as { version: number }[])[0]!
    await desk.propose('Cache in Redis')
    await desk.propose('Queue in Postgres')
    const bytes = desk.bytes()
    expect(await desk.run('restore', { version: String(version) })).toMatchObject({
      outcome: 'unanswered',
      removed: ['decisions/002-cache-in-redis.md', 'decisions/003-queue-in-postgres.md'],
    })
    expect(desk.bytes()).toEqual(bytes)
    const texts = ['decisions/002-cache-in-redis.md', 'decisions/003-queue-in-postgres.md'].map((path) =>
      desk.read(path),
    )
    const { way_back: back } = await desk.run('restore', { version: String(version), yes: true })
    await desk.run('restore', { version: String(back), yes: true })
    expect(
      ['decisions/002-cache-in-redis.md', 'decisions/003-queue-in-postgres.md'].map((path) => desk.read(path)),
    ).toEqual(texts)
  })

  test('keeps hand edits in a separate snapshot, so that they can be restored', async () => {
    desk = await openTruthDesk('local')
    await superseded()
    desk.put('project.md', '# By hand\n')
    await desk.run('restore', { version: '1', yes: true })
    const log = (await desk.run('log', { limit: 100 }))['snapshots'] as { version: number; trigger: string }[]
    const before = log.find((s) => s.trigger === 'before a restore')!
    await desk.run('restore', { version: String(before.version), yes: true })
    expect(desk.read('project.md')).toBe('# By hand\n')
  })

  test(
    'leaves a record without flaws, regardless of its previous state, and lost decisions can be proposed again',
    { timeout: 120_000 },
    async () => {
      const step = fc.oneof(
        fc.record({ do: fc.constant('propose' as const), n: fc.nat(5) }),
        fc.record({ do: fc.constant('update' as const), n: fc.nat(5) }),
        fc.record({ do: fc.constant('supersede' as const), n: fc.nat(5) }),
        fc.record({ do: fc.constant('restore' as const), n: fc.nat(9) }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
          await desk?.close().catch(() => undefined)
          desk = await openTruthDesk('local')
          for (const { do: what, n } of [...steps, { do: 'restore' as const, n: 0 }]) {
            const decisions = (await (await desk.store()).catalogue()).decisions.filter((d) => d.status === 'active')
            const target = decisions[n % decisions.length]!
            if (what === 'restore') {
              const log = (await desk.run('log', { limit: 100 }))['snapshots'] as { version: number }[]
              await desk.run('restore', { version: String(log[n % log.length]!.version), yes: true })
              expect((await desk.run('doctor'))['flaws']).toEqual([])
              expect((await desk.run('verify'))['discrepancies']).toEqual([])
            } else if (what === 'update') {
              await desk.run('propose_decision', {
                operation: 'update',
                affected_decision_id: `D${target.num}`,
                title: '',
                rationale: 'It was seen again and still holds.',
              })
            } else {
              const title = what === 'propose' ? `Choice of kind ${n}` : `In the place of ${target.num} comes ${n}`
              const isThere = decisions.some((d) => d.title === title)
              const said = await desk.run('propose_decision', {
                title,
                rationale: `The reason for ${title} is long enough.`,
                rejected: [{ alternative: 'None', reason: 'It was worse.' }],
                ...(what === 'supersede' && { operation: 'supersede', affected_decision_id: `D${target.num}` }),
              })
              const all = (await (await desk.store()).catalogue()).decisions
              if (said['status'] !== 'confirmed') expect([isThere, all.some((d) => d.title === title)]).toContain(true)
            }
          }
        }),
        { numRuns: 8, seed: 8 },
      )
    },
  )
})

test("repair restores Ken's own .gitattributes, and accept keeps the lines of a person", async () => {
  desk = await openTruthDesk('repo')
  await superseded()
  const sound = desk.read('.gitattributes')
  unlinkSync(join(desk.root, '.gitattributes'))
  expect(await desk.text('repair')).toContain('.gitattributes: taken back from Ken')
  expect(desk.read('.gitattributes')).toBe(sound)
  expect(await clean()).toEqual([[], []])
  desk.put('.gitattributes', `${sound}*.md linguist-documentation\n`)
  expect((await desk.run('verify'))['discrepancies']).toMatchObject([{ path: '.gitattributes', kind: 'edited' }])
  await desk.run('accept')
  expect(await clean()).toEqual([[], []])
})

describe('doctor', () => {
  test('distinguishes a hand edit, a missing file and an unrecorded file', async () => {
    desk = await openTruthDesk('local')
    await superseded()
    desk.put('project.md', '# By hand\n')
    desk.put('context/new.md', 'new')
    unlinkSync(join(desk.root, 'stack.md'))
    const flaws = (await desk.run('doctor'))['flaws'] as { kind: string; path: string }[]
    expect(flaws.map((f) => [f.kind, f.path])).toEqual([
      ['edited', 'project.md'],
      ['unknown', 'context/new.md'],
      ['missing', 'stack.md'],
    ])
  })

  test('notes decisions about missing files without reporting a flaw', async () => {
    desk = await openTruthDesk('local')
    writeFileSync(join(desk.repo, 'cache.ts'), '')
    writeFileSync(join(desk.repo, '.gitignore'), 'secret.env\n')
    writeFileSync(join(desk.repo, 'secret.env'), '')
    await desk.propose('Cache in memory', { files_affected: ['cache.ts', './cache.ts', '*.ts', 'secret.env'] })
    expect(await desk.run('doctor')).toMatchObject({ clean: true, notes: [] })
    await desk.propose('Queue in Postgres', { files_affected: ['queue.ts', 'jobs/**', '../outside.ts', 'cache.ts'] })
    // A decision may precede its code: Ken recorded it, so Ken must not report it as a flaw.
    expect(await desk.run('doctor')).toMatchObject({
      clean: true,
      flaws: [],
      notes: [expect.stringMatching(/^D003 "Queue in Postgres" governs queue\.ts, jobs\/\*\*, \.\.\/outside\.ts/)],
    })
  })

  test('does not fail on binary files', async () => {
    desk = await openTruthDesk('local')
    const path = await superseded()
    for (const damaged of [path, 'open-questions.md', '.decision-hashes.json', 'project.md']) {
      const sound = desk.read(damaged)
      writeFileSync(join(desk.root, damaged), Buffer.from([0xff, 0xfe, 0x00, 0xc3]))
      expect((await desk.run('doctor'))['clean']).toBe(false)
      await desk.run('repair')
      if (damaged !== '.decision-hashes.json') expect(desk.read(damaged)).toBe(sound)
      expect(await clean()).toEqual([[], []])
    }
  })
})

test('repair at a terminal asks before it undoes edits, and --yes confirms in scripts', async () => {
  desk = await openTruthDesk('local')
  const edited = () => desk.put('project.md', '# By hand\n')
  const questions: string[] = []
  const asked = (input: Record<string, unknown>) =>
    call(
      { ...desk.context(), confirm: async (question: string) => (questions.push(question), false) },
      OPERATIONS.find(({ name }) => name === 'repair')!,
      input,
    )
  edited()
  await asked({ take_back: true })
  expect(questions).toEqual([expect.stringContaining('project.md: taken back from snapshot')])
  expect(desk.read('project.md')).toBe('# By hand\n')
  await asked({ take_back: true, yes: true })
  expect(questions).toHaveLength(1)
  expect(await clean()).toEqual([[], []])
})

describe('accept', () => {
  test('--yes accepts edits and agent proposals without asking', async () => {
    desk = await openTruthDesk('local')
    const agent = { ...desk.context(), origin: { surface: 'mcp-stdio' as const } }
    await call(
      agent,
      OPERATIONS.find(({ name }) => name === 'propose_decision')!,
      {
        title: 'Queue in Postgres',
        rationale: 'Postgres is there already, and the volume is small.',
      },
    )
    desk.put('project.md', '# By hand\n')
    expect(await desk.run('accept')).toMatchObject({ accepted: ['project.md'], decisions: [], pending: [{ num: 2 }] })
    expect(await desk.run('accept', { yes: true })).toMatchObject({ decisions: [{ num: 2 }], pending: [] })
  })

  test('accepts the removal of a file by hand, but not of a decision', async () => {
    desk = await openTruthDesk('local')
    const path = await superseded()
    unlinkSync(join(desk.root, 'stack.md'))
    unlinkSync(join(desk.root, path))
    expect(await desk.run('accept')).toMatchObject({ accepted: ['stack.md'], left: [{ path }] })
    expect(((await desk.run('verify'))['discrepancies'] as { path: string }[]).map((d) => d.path)).toEqual([path])
  })

  test('updates the hash index for an edited decision', async () => {
    desk = await openTruthDesk('local')
    const stem = await desk.propose('Cache in memory')
    desk.put(
      decisionOf(stem),
      desk.read(decisionOf(stem)).replace('because that was measured', 'because that was seen'),
    )
    await desk.run('accept')
    expect(await clean()).toEqual([[], []])
  })

  test('accepts a truncated journal and a broken snapshot only on request', async () => {
    desk = await openTruthDesk('local')
    await superseded()
    const [journal, pack] = [desk.read('journal/events.jsonl'), desk.read('snapshots/pack.jsonl')]
    desk.put('journal/events.jsonl', `${journal.trimEnd().split('\n').slice(0, -1).join('\n')}\n`)
    desk.put('snapshots/pack.jsonl', pack.replace('"trigger":"', '"trigger":"x'))
    await desk.run('accept')
    expect((await desk.run('verify'))['clean']).toBe(false)
    await desk.run('accept', { history: true })
    expect((await desk.run('verify'))['discrepancies']).toEqual([])
  })
})
