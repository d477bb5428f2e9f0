import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Settings } from '../src/kernel/ports/settings.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import type { Context } from '../src/operations/context.ts'
import { doctor } from '../src/record/operations/doctor.ts'
import { repair } from '../src/record/operations/repair.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'

const project = { id: '01JQ0000000000000000000000', name: 'mend', mode: 'local', location: '' } as const
const file = (num: string, title: string, more = '') =>
  `---\ndate: 2026-01-01\nversion: 1\nstatus: active\nconfidence: high\n${more}---\n\n# ${num} — ${title}\n\n## Decision\n\nA reason that is long enough.\n`
let store: Store
const ctx = () =>
  ({
    clock: systemClock,
    origin: { surface: 'cli' },
    record: async () => store,
    cwd: '/',
    projects: { find: async () => undefined },
    checkRoom() {},
    settings: { unknown: () => [] } as Partial<Settings> as Settings,
  }) as unknown as Partial<Context> as Context
const open = async (files: Record<string, string>) =>
  void (store = await openMemoryStore({ project, clock: systemClock, files }))

beforeEach(() => open({}))
afterEach(() => store.close())

test('other programs’ keys are reported as a note, not a flaw, and repair keeps them', async () => {
  const text = file('001', 'A', 'base_commit: abc123\n')
  await open({ 'decisions/001-a.md': text, 'decisions/002-b.md': file('002', 'B', "supersedes: '1'\n") })
  const found = await doctor.run(ctx(), {})
  expect(found.flaws.map((flaw) => flaw.kind)).toEqual(['contradiction'])
  expect(found.notes).toEqual(['1 decision has the key "base_commit" of another program; Ken keeps it as it is'])
  expect(doctor.render(found, {} as never)).toContain('note: 1 decision has the key')
  await repair.run(ctx(), { take_back: false, yes: false, dry_run: false })
  expect(await store.read('decisions/001-a.md')).toBe(
    text.replace('active', 'superseded').replace('base_commit', "superseded_by: '2'\nbase_commit"),
  )
})

test('a half-written supersession is completed', async () => {
  await open({ 'decisions/001-a.md': file('001', 'A'), 'decisions/002-b.md': file('002', 'B', "supersedes: '1'\n") })
  await repair.run(ctx(), { take_back: false, yes: false, dry_run: false })
  expect((await store.catalogue()).decisions.map((d) => [d.num, d.status, d.superseded_by])).toEqual([
    [1, 'superseded', '2'],
    [2, 'active', null],
  ])
})

test('two decisions with the same number get different numbers, and none is lost', async () => {
  await open({
    'decisions/001-a.md': file('001', 'A'),
    'decisions/002-b.md': file('002', 'B'),
    'decisions/002-c.md': file('002', 'C'),
  })
  await repair.run(ctx(), { take_back: false, yes: false, dry_run: false })
  const { decisions } = await store.catalogue()
  expect(decisions.map((d) => d.num)).toEqual([1, 2, 3])
  expect(decisions.map((d) => d.title).sort()).toEqual(['A', 'B', 'C'])
})

test('a hash index that names missing decisions is rebuilt', async () => {
  await open({
    'decisions/001-a.md': file('001', 'A'),
    '.decision-hashes.json': '{"x":{"decision_id":"009-gone","timestamp":""}}',
  })
  await repair.run(ctx(), { take_back: false, yes: false, dry_run: false })
  expect(await store.read('.decision-hashes.json')).toContain('001-a')
  expect((await doctor.run(ctx(), {})).clean).toBe(true)
})

test('flaws that only a person can resolve are listed and not changed, and a dry run changes nothing', async () => {
  await open({
    'decisions/001-a.md': file('001', 'A', "supersedes: '9'\n"),
    'decisions/002-b.md': 'nonsense',
    'decisions/003-c.md': file('003', 'C'),
    'decisions/004-d.md': file('004', 'D', "supersedes: '3'\n"),
  })
  const tried = await repair.run(ctx(), { take_back: false, yes: false, dry_run: true })
  expect(tried.mended).toHaveLength(1)
  expect(tried.left.map((f) => f.path)).toEqual(['decisions/002-b.md', 'decisions/001-a.md'])
  expect(await store.journal()).toEqual([])
})
