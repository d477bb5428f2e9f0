import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFlaws } from '../src/record/find-flaws.ts'
import { exportAdr } from '../src/record/operations/export-adr.ts'
import { importAdr } from '../src/record/operations/import-adr.ts'
import { importMemoryBank } from '../src/record/operations/import-memory-bank.ts'
import { importNauro } from '../src/record/operations/import-nauro.ts'
import { proposeDecision } from '../src/record/operations/propose-decision.ts'
import { updateState } from '../src/record/operations/update-state.ts'
import { openImportDesk, type ImportDesk } from './import-desk.ts'

let desk: ImportDesk
beforeEach(() => void (desk = openImportDesk()))
afterEach(() => desk.close())

const adr = (title: string, status = 'Accepted'): string =>
  `# ${title}\n\nDate: 2024-01-02\n\n## Status\n\n${status}\n\n## Context\n\nAbout ${title}.\n\n## Decision\n\nYes.\n`
const DECISION = (num: string, title: string, extra = '') =>
  `---\ndate: 2026-01-05\nversion: 1\nstatus: active\nconfidence: high\ndecision_type: null\nreversibility: null\nsource: mcp\nfiles_affected: []\nsupersedes: null\nsuperseded_by: null\n${extra}---\n\n# ${num} — ${title}\n\n## Decision\n\nFor speed, and because we know it.\n`
const ADRS = {
  'repo/adr/0001-a.md': adr('A', 'Superseded by [2. B](0002-b.md)'),
  'repo/adr/0002-b.md': adr('B'),
  'repo/adr/0003-c.md': adr('C', 'Proposed'),
  'repo/adr/README.md': '# Our ADRs\n',
  'repo/adr/logo.png': 'x',
}

describe('ken import adr', () => {
  it('records every ADR in one change with one snapshot, and the record is valid', async () => {
    const store = await desk.start()
    desk.write(ADRS)
    const before = (await store.snapshots.list()).length
    const output = await desk.run(importAdr, { path: 'adr' })
    expect(output.imported.map((i: any) => [i.path, i.id, i.status])).toEqual([
      ['0001-a.md', 'decision-001', 'superseded'],
      ['0002-b.md', 'decision-002', 'active'],
    ])
    expect(output.drafts).toEqual([{ path: '0003-c.md', title: 'C', status: 'Proposed', question: 'Q1' }])
    expect(output.skipped.map((s: any) => s.path)).toEqual(['README.md', 'logo.png', '0003-c.md'])
    expect(await store.snapshots.list()).toHaveLength(before + 1)
    expect((await store.snapshots.list()).at(-1)).toMatchObject({ trigger: 'import: adr', trigger_detail: 'adr' })
    expect([...(await store.verify()), ...(await findFlaws(store))]).toEqual([])
    expect(
      (await store.catalogue()).decisions.map((d) => `${d.num} ${d.date} ${d.supersedes} ${d.superseded_by}`),
    ).toEqual(['1 2024-01-02 null 2', '2 2024-01-02 1 null'])
    expect(await store.read('open-questions.md')).toContain(
      '- [Q1] Is this decided: C? Its status is "Proposed". (ADR 0003-c.md)',
    )
    const { operation, facts } = (await store.journal()).at(-1)!
    expect(operation).toBe('import_adr')
    expect(facts['files']).toMatchObject([
      { path: '0001-a.md', decision: '001-a', number: 1, status: 'Superseded by 2. B' },
      { decision: '002-b' },
    ])
    expect(facts).toMatchObject({ gave_way: '001-initial-project-setup', asked: [{ path: '0003-c.md' }] })
    expect(importAdr.render(output, {} as never)).toMatch(
      /^Imported 2 decisions from 5 files, 1 of them superseded\.[^]*D001 {2}A {2}\(superseded by D002\)[^]*Q1 {2}C {2}← 0003-c\.md[^]*README\.md: it has no section/,
    )
  })

  it('is idempotent, including the journal', async () => {
    const store = await desk.start()
    desk.write(ADRS)
    await desk.run(importAdr, { path: `${desk.repo}/adr/` })
    const before = desk.tree('.ken/projects')
    const output = await desk.run(importAdr, { path: 'adr' })
    expect(output).toMatchObject({
      imported: [],
      duplicates: [{ path: '0001-a.md', duplicate_of: 'decision-001' }, { duplicate_of: 'decision-002' }],
      drafts: [{ path: '0003-c.md' }],
    })
    expect(desk.tree('.ken/projects')).toEqual(before)
    expect(await store.verify()).toEqual([])
  })

  it('changes nothing in a dry run', async () => {
    await desk.start()
    desk.write(ADRS)
    const before = desk.tree('.ken')
    const output = await desk.run(importAdr, { path: 'adr', dry_run: true })
    expect(output.imported).toHaveLength(2)
    expect(desk.tree('.ken')).toEqual(before)
    expect(importAdr.render(output, {} as never)).toMatch(/^Would import 2 decisions/)
  })

  it('asks about a draft once, and resolves the question when it is decided', async () => {
    const store = await desk.start()
    desk.write({ 'repo/adr/0003-c.md': adr('C', 'Draft') })
    await desk.run(importAdr, { path: 'adr' })
    const before = desk.tree('.ken/projects')
    expect(await desk.run(importAdr, { path: 'adr' })).toMatchObject({ drafts: [{ title: 'C', status: 'Draft' }] })
    expect(desk.tree('.ken/projects')).toEqual(before)
    desk.write({ 'repo/adr/0003-c.md': adr('C') })
    await desk.run(importAdr, { path: 'adr' })
    expect(await store.read('open-questions.md')).toMatch(/\[Resolved by D3 on [-0-9]+\] \[Q1\] Is this decided: C\?/)
  })

  it('records rejected ADRs as such, and adds to the list later', async () => {
    const store = await desk.start()
    desk.write({ 'repo/adr/0001-a.md': adr('Use Redis', 'Rejected'), 'repo/adr/0002-b.md': adr('B') })
    const output = await desk.run(importAdr, { path: 'adr' })
    expect(output.not_in_force).toEqual({ id: 'decision-003', decisions: ['decision-001'] })
    expect(importAdr.render(output, {} as never)).toContain('1 rejected or retired ADR is listed in decision-003.')
    desk.write({ 'repo/adr/0002-b.md': adr('B', 'Deprecated'), 'repo/adr/0009-c.md': adr('Use Kafka', 'Withdrawn') })
    await desk.run(importAdr, { path: 'adr' })
    expect((await store.catalogue()).decisions.map((d) => `${d.num} ${d.status} ${d.superseded_by}`)).toEqual([
      '1 superseded 3',
      '2 superseded 3',
      '3 active null',
      '9 superseded 3',
    ])
    const ledger = await store.read('decisions/003-rejected-or-retired-adrs.md')
    expect(ledger).toContain('- D001 Use Redis: Rejected\n- D002 B: Deprecated\n- D009 Use Kafka: Withdrawn')
    expect(ledger).toContain('### Use Redis\n')
    expect(ledger).toContain('### Use Kafka\n')
    expect([...(await store.verify()), ...(await findFlaws(store))]).toEqual([])
  })

  it('keeps the initial decision of the record if others build on it', async () => {
    const store = await desk.start()
    await desk.run(proposeDecision, {
      rationale: 'We have kept to it since then.',
      operation: 'update',
      affected_decision_id: '1',
    })
    desk.write({ 'repo/adr/0001-a.md': adr('A') })
    await desk.run(importAdr, { path: 'adr' })
    expect((await store.catalogue()).decisions.map((d) => d.title)).toEqual(['Initial project setup', 'A'])
  })

  it('dates an ADR without a date by its file', async () => {
    const store = await desk.start()
    desk.write({ 'repo/adr/0002-b.md': adr('B').replace('Date: 2024-01-02', '') })
    utimesSync(join(desk.repo, 'adr/0002-b.md'), new Date('2021-05-06T12:00:00Z'), new Date('2021-05-06T12:00:00Z'))
    const output = await desk.run(importAdr, { path: 'adr' })
    expect(output.imported).toMatchObject([{ dated_by: 'file' }])
    expect((await store.catalogue()).decisions.at(-1)!.date).toBe('2021-05-06')
  })

  it.each(['madr', 'nygard'])('an export in %s is imported as the same record', async (format) => {
    const store = await desk.start()
    desk.write({
      ...ADRS,
      'repo/adr/0007-g.md': adr('G', 'Rejected'),
      'repo/adr/0008-h.md': adr('H', 'Living document').replace(
        '## Context',
        '## Considered Options\n\n* H\n* I\n\n## Context',
      ),
    })
    await desk.run(importAdr, { path: 'adr' })
    await desk.run(proposeDecision, {
      title: 'Use `tabs`: always',
      rationale: '## Why\n\nThey are wide.\n\n# More\n\n- so\n- on',
      operation: 'supersede',
      affected_decision_id: '2',
      rejected: [{ alternative: 'Spaces', reason: 'Narrow.\n\nVery.' }],
      files_affected: ['src/**', 'a b.ts'],
      decision_type: 'pattern',
      reversibility: 'easy',
    })
    await desk.run(exportAdr, { folder: 'out', format })
    const files = (tree: Record<string, string>) =>
      Object.fromEntries(Object.entries(tree).filter(([path]) => path.startsWith('decisions/')))
    const first = files(desk.tree(`.ken/projects/${store.project.id}`))
    const other = openImportDesk()
    const again = await other.start()
    other.write(
      Object.fromEntries(Object.entries(desk.tree('repo/out')).map(([path, text]) => [`repo/out/${path}`, text])),
    )
    await other.run(importAdr, { path: 'out' })
    expect(files(other.tree(`.ken/projects/${again.project.id}`))).toEqual(first)
    expect([...(await again.verify()), ...(await findFlaws(again))]).toEqual([])
    await other.close()
  })

  it('a later ADR supersedes the decision of its predecessor', async () => {
    const store = await desk.start()
    desk.write({ 'repo/adr/0005-e.md': adr('E') })
    await desk.run(importAdr, { path: 'adr/0005-e.md' })
    desk.write({ 'repo/adr/0005-e.md': adr('E', 'Superseded by ADR-6'), 'repo/adr/0006-f.md': adr('F') })
    expect(await desk.run(importAdr, { path: 'adr' })).toMatchObject({
      replaced: [{ id: 'decision-005', by: 'decision-006' }],
    })
    expect((await store.catalogue()).decisions.slice(1)).toMatchObject([
      { num: 5, status: 'superseded', superseded_by: '6' },
      { num: 6, supersedes: '5' },
    ])
  })

  it('adds imported decisions to the duplicate check of a proposal', async () => {
    await desk.start()
    desk.write({ 'repo/adr/0002-b.md': adr('B') })
    await desk.run(importAdr, { path: 'adr' })
    expect(await desk.run(proposeDecision, { title: 'b', rationale: 'The same thing said again.' })).toMatchObject({
      status: 'rejected',
    })
  })

  it('reports a missing folder', async () => {
    await desk.start()
    await expect(desk.run(importAdr, { path: 'nowhere' })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('folder'),
    })
  })
})

describe('ken import memory-bank', () => {
  const BANK = {
    'repo/bank/projectBrief.md': '# Brief\n\nA shop for pears.\n',
    'repo/bank/techContext.md': '- **Postgres** for orders\n',
    'repo/bank/activeContext.md': '# Active\n\nCheckout is next.\n',
    'repo/bank/progress.md': '- login works\n',
    'repo/bank/decisionLog.md': '## Decision: Use Postgres\n\nWe know it.\n',
    'repo/bank/notes.txt': 'x',
  }

  it('fills project, stack, state and decisions, and overwrites nothing', async () => {
    const store = await desk.start()
    const before = await store.read('project.md')
    desk.write(BANK)
    const output = await desk.run(importMemoryBank, { path: 'bank' })
    expect(output).toMatchObject({
      changed: ['project.md', 'stack.md', 'state_current.md', 'state_history.md'],
      imported: [{ number: 2, title: 'Use Postgres' }],
      skipped: [{ path: 'notes.txt' }],
    })
    expect(await store.read('project.md')).toBe(
      `${before!.trimEnd()}\n\n## Imported from Memory Bank (projectBrief.md)\n\nA shop for pears.\n`,
    )
    expect(await store.read('state_current.md')).toContain('Checkout is next.\n\n## Progress\n\n- login works')
    expect(await store.read('state_history.md')).toContain('Record started')
    expect((await store.snapshots.list()).at(-1)).toMatchObject({ trigger: 'import: memory-bank' })
    expect(await store.verify()).toEqual([])
  })

  it('is idempotent, even after the state has changed', async () => {
    const store = await desk.start()
    desk.write(BANK)
    await desk.run(importMemoryBank, { path: 'bank' })
    await desk.run(updateState, { delta: 'Checkout is done.' })
    const before = desk.tree('.ken/projects')
    expect(await desk.run(importMemoryBank, { path: 'bank' })).toMatchObject({
      changed: [],
      imported: [],
      duplicates: [{ title: 'Use Postgres', duplicate_of: 'decision-002' }],
    })
    expect(desk.tree('.ken/projects')).toEqual(before)
    expect(await store.read('state_current.md')).toContain('Checkout is done.')
  })

  it('changes nothing in a dry run, and refuses an invalid folder', async () => {
    await desk.start()
    desk.write(BANK)
    const before = desk.tree('.ken')
    expect((await desk.run(importMemoryBank, { path: 'bank', dry_run: true })).changed).toHaveLength(4)
    expect(desk.tree('.ken')).toEqual(before)
    desk.write({ 'repo/other/a.md': 'x' })
    await expect(desk.run(importMemoryBank, { path: 'other' })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('ken import nauro', () => {
  const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  const STORE = `.nauro/projects/${ULID}`
  const SNAPSHOT =
    '{\n  "schema_version": 1,\n  "version": 1,\n  "timestamp": "2026-01-05T10:00:00+00:00",\n  "trigger": "manual sync",\n  "trigger_detail": "",\n  "token_count": 1,\n  "files": {"project.md": "# Shop"}\n}\n'
  const files = {
    [`${STORE}/project.md`]: '# Shop\n',
    [`${STORE}/state_current.md`]: '# Current State\r\n\r\nFine.\r\n',
    [`${STORE}/open-questions.md`]: '# Open Questions\r\n\r\n- [Q1] Why?\r\n',
    [`${STORE}/decisions/001-plain.md`]: DECISION('001', 'Plain'),
    [`${STORE}/decisions/002-odd.md`]: DECISION('002', 'Odd', 'base_commit: abc\nteam: core\n').replaceAll(
      '\n',
      '\r\n',
    ),
    [`${STORE}/decisions/003-titled.md`]: DECISION('003', 'Titled', 'title: Titled\nteam: core\n'),
    [`${STORE}/snapshots/v001.json`]: SNAPSHOT,
    [`${STORE}/journal/events.jsonl`]: '{"event_version":1}\n',
    [`${STORE}/decisions/.lock`]: '',
    '.nauro/registry.json': JSON.stringify({
      projects: { [ULID]: { name: 'Shop', mode: 'local', repo_paths: [] } },
      schema_version: 2,
    }),
    'repo/.nauro/config.json': JSON.stringify({ mode: 'local', id: ULID, name: 'Shop', schema_version: 1 }),
  }

  it('adopts the store of the repository under its id, and leaves the old store unchanged', async () => {
    desk.write(files)
    const before = desk.tree('.nauro')
    const output = await desk.run(importNauro, {})
    expect(output).toMatchObject({
      id: ULID,
      name: 'Shop',
      dry_run: false,
      unreadable: [],
      moved: { 'decisions/003-titled.md': ['title', 'team'] },
      skipped: [{ path: 'decisions/.lock' }],
    })
    expect(desk.tree('.nauro')).toEqual(before)
    const record = desk.tree(`.ken/projects/${ULID}`)
    for (const path of ['open-questions.md', 'state_current.md', 'snapshots/v001.json', 'decisions/001-plain.md'])
      expect(record[path]).toBe(before[`projects/${ULID}/${path}`])
    expect(record['decisions/002-odd.md']).toBe(DECISION('002', 'Odd', 'base_commit: abc\nteam: core\n'))
    expect(record['decisions/003-titled.md']).toBe(DECISION('003', 'Titled'))
    expect(record['journal/nauro-events.jsonl']).toBe('{"event_version":1}\n')

    expect(await desk.context.projects.find({ directory: desk.repo })).toMatchObject({
      id: ULID,
      location: `${desk.home}/.ken/projects/${ULID}`,
    })
    const store = await desk.context.record()
    expect(await store.verify()).toEqual([])
    expect((await store.catalogue()).unreadable).toEqual([])
    expect((await store.snapshots.list()).map((s) => [s.version, s.trigger])).toEqual([
      [1, 'manual sync'],
      [2, 'import: nauro'],
    ])
    expect((await store.journal()).at(-1)).toMatchObject({
      operation: 'import_nauro',
      facts: { moved: { 'decisions/003-titled.md': { title: 'Titled', team: 'core' } } },
    })
    expect(importNauro.render(output, {} as never)).toContain(
      'Keys that no decision may have (title, team) went from 1 decision to the journal.',
    )
  })

  it('is idempotent; a new decision in the old store is added, and nothing here is overwritten', async () => {
    desk.write(files)
    await desk.run(importNauro, {})
    const before = desk.tree('.ken/projects')
    expect(await desk.run(importNauro, {})).toMatchObject({ written: [], kept: [] })
    expect(desk.tree('.ken/projects')).toEqual(before)
    await desk.run(proposeDecision, { title: 'Mine', rationale: 'Made here after the import.' })
    desk.write({
      [`${STORE}/decisions/004-theirs.md`]: DECISION('004', 'Theirs'),
      [`${STORE}/decisions/005-new.md`]: DECISION('005', 'New'),
      [`${STORE}/project.md`]: '# Changed\n',
    })
    const again = await desk.run(importNauro, { path: `${desk.home}/.nauro` })
    expect(again.written).toEqual(['decisions/005-new.md'])
    expect(again.kept.map((k: any) => `${k.path}: ${k.reason}`)).toEqual([
      'decisions/004-theirs.md: its number belongs to 004-mine',
      'project.md: the record has another text under this name',
    ])
    expect(await (await desk.context.record()).verify()).toEqual([])
  })

  it('registers and writes nothing in a dry run', async () => {
    desk.write(files)
    const before = desk.tree('.')
    const output = await desk.run(importNauro, { path: STORE.replace('.nauro', `${desk.home}/.nauro`), dry_run: true })
    expect(output).toMatchObject({ id: ULID, name: 'Shop', dry_run: true })
    expect(output.written).toContain('decisions/002-odd.md')
    expect(desk.tree('.')).toEqual(before)
    expect(await desk.context.projects.list()).toEqual([])
  })

  it('finishes an interrupted copy', async () => {
    desk.write(files)
    const project = await desk.context.projects.create({ id: ULID, name: 'Shop', mode: 'local', repository: undefined })
    desk.write({ [`.ken/projects/${ULID}/project.md`]: '# Shop\n' })
    await desk.run(importNauro, { path: `${desk.home}/${STORE}` })
    expect(desk.tree(`.ken/projects/${ULID}`)).toHaveProperty(['snapshots/v001.json'])
    expect((await (await desk.context.record(project.id)).catalogue()).decisions).toHaveLength(3)
  })

  it('explains the next step if there is no store, or more than one', async () => {
    await expect(desk.run(importNauro, {})).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('ken import nauro'),
    })
    desk.write({
      '.nauro/registry.json': JSON.stringify({
        projects: { [ULID]: { name: 'A' }, [ULID.replace('V', 'W')]: { name: 'B' } },
      }),
    })
    await expect(desk.run(importNauro, { path: `${desk.home}/.nauro` })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining(`projects/${ULID} (A)`),
    })
  })
})

describe('ken export adr', () => {
  it('writes every decision except the initial one, updates its own files, and is idempotent', async () => {
    await desk.start()
    await desk.run(proposeDecision, {
      title: 'Use Redis',
      rationale: 'Reads are slow without a cache.',
      rejected: [{ alternative: 'Memcached', reason: 'No persistence.' }],
    })
    expect(await desk.run(exportAdr, { folder: 'docs/adr' })).toMatchObject({
      written: ['0002-use-redis.md'],
      unchanged: 0,
      leftover: [],
    })
    await desk.run(proposeDecision, {
      title: 'Use Valkey',
      rationale: 'The licence of Redis changed.',
      operation: 'supersede',
      affected_decision_id: 'D2',
    })
    expect(await desk.run(exportAdr, { folder: 'docs/adr' })).toMatchObject({
      written: ['0002-use-redis.md', '0003-use-valkey.md'],
      unchanged: 0,
    })
    expect(desk.read('repo/docs/adr/0002-use-redis.md')).toContain('superseded by [ADR-0003](0003-use-valkey.md)')
    expect(desk.read('repo/docs/adr/0003-use-valkey.md')).toContain('Supersedes [ADR-0002](0002-use-redis.md)')
    expect(await desk.run(exportAdr, { folder: 'docs/adr' })).toMatchObject({ written: [], unchanged: 2 })
    expect(await desk.run(importAdr, { path: 'docs/adr' })).toMatchObject({ imported: [], duplicates: [{}, {}] })
  })

  it('writes nothing if it would overwrite files it did not write, unless forced', async () => {
    await desk.start()
    await desk.run(proposeDecision, { title: 'Use Redis', rationale: 'Reads are slow without a cache.' })
    desk.write({ 'repo/docs/0002-use-redis.md': '# mine\n' })
    await expect(desk.run(exportAdr, { folder: 'docs' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('0002-use-redis.md'),
      hint: expect.stringContaining('--force'),
    })
    expect(desk.tree('repo/docs')).toEqual({ '0002-use-redis.md': '# mine\n' })
    await desk.run(exportAdr, { folder: 'docs', force: true, format: 'nygard' })
    expect(desk.read('repo/docs/0002-use-redis.md')).toMatch(/^# 2\. Use Redis\n/)
    desk.write({ 'repo/docs/0002-use-redis.md': desk.read('repo/docs/0002-use-redis.md').replace('slow', 'very slow') })
    await expect(desk.run(exportAdr, { folder: 'docs' })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('lists its earlier files that no longer have a decision', async () => {
    await desk.start()
    await desk.run(proposeDecision, { title: 'Use Redis', rationale: 'Reads are slow without a cache.' })
    await desk.run(exportAdr, { folder: 'docs' })
    desk.write({
      'repo/docs/0009-gone.md': desk.read('repo/docs/0002-use-redis.md'),
      'repo/docs/0010-mine.md': '# mine\n',
    })
    expect(await desk.run(exportAdr, { folder: 'docs' })).toMatchObject({ leftover: ['0009-gone.md'] })
  })
})
