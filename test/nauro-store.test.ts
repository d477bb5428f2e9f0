import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDecision } from '../src/record/operations/check-decision.ts'
import { doctor } from '../src/record/operations/doctor.ts'
import { getContext } from '../src/record/operations/get-context.ts'
import { listDecisions } from '../src/record/operations/list-decisions.ts'
import { proposeDecision } from '../src/record/operations/propose-decision.ts'
import { updateState } from '../src/record/operations/update-state.ts'
import { hookContext } from '../src/setup/operations/hook-context.ts'
import { type ImportDesk, openImportDesk } from './import-desk.ts'

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const STORE = `.nauro/projects/${ID}`
const COMMITS = ['3f9c1b7a52e04d6c8b1f0e9d7a6c5b4f3e2d1c0b', '1234567890123456789012345678901234567890']

/** A decision as nauro 1.15 writes it: unset keys spelled out, followed by the commit. */
const decision = (num: string, title: string, rationale: string, more: Record<string, string> = {}): string => {
  const fields = {
    date: '2026-04-16',
    version: '1',
    status: 'active',
    confidence: 'high',
    decision_type: 'null',
    reversibility: 'null',
    source: 'mcp',
    files_affected: '[]',
    supersedes: 'null',
    superseded_by: 'null',
    ...more,
  }
  const yaml = Object.entries(fields).map(([key, value]) => `${key}:${value.startsWith('\n') ? '' : ' '}${value}\n`)
  return `---\n${yaml.join('')}---\n\n# ${num} — ${title}\n\n## Decision\n\n${rationale}\n`
}

const SEED = `${decision('001', 'Initial project setup', 'Initial project setup — scaffold the Nauro project store and begin tracking architectural decisions.', { source: 'null' }).trimEnd()}

## Rejected Alternatives

### Ad-hoc notes in README

Hard to find, no structure — does not scale past a few entries.
`
const CACHE = decision('002', 'Cache reads in Redis', 'Hot reads go through Redis; p99 falls by half.', {
  decision_type: 'infrastructure',
  files_affected: '\n- src/cache.ts\n- infra/redis.yaml',
  base_commit: COMMITS[0]!,
}).replace('## Decision', 'Text that stands before the decision.\n\n## Decision')
const APPROVED = decision('003', 'Sign tokens with Ed25519', 'Short keys, fast checks, no curve to choose.', {
  proposed_by: '01ARZ3NDEKTSV4RRFFQ69G5FAW',
  approved_by: '01ARZ3NDEKTSV4RRFFQ69G5FAX',
  approved_at: "'2026-05-01T10:00:00.000000Z'",
  proposal_id: '01ARZ3NDEKTSV4RRFFQ69G5FAY',
  proposed_base_commit: COMMITS[0]!,
  base_commit: `'${COMMITS[1]}'`,
})
const TAGGED = decision('004', 'Ship behind flags', 'Every feature starts dark and is switched on by group.', {
  labels: '\n- release   # ours\n- "risk"',
  owner: '{team: core, since: 2025}',
})

const FILES: Record<string, string> = {
  'project.md': '# Shop\n\nSells shoes.\n',
  'state_current.md': '# Current State\n\nBuilding the cart.\n\n*Last updated: 2026-05-01T10:00Z*\n',
  'stack.md': '# Stack\n\n- **Postgres** for orders\n',
  'open-questions.md': '# Open Questions\n\n- [Q1] Which carrier?\n',
  'decisions/001-initial-setup.md': SEED,
  'decisions/002-cache-reads-in-redis.md': CACHE,
  'decisions/003-sign-tokens-with-ed25519.md': APPROVED,
  'decisions/004-ship-behind-flags.md': TAGGED,
  'context/brief.md': '# A brief\n',
  'snapshots/v001.json': `${JSON.stringify({ schema_version: 1, version: 1, timestamp: '2026-05-01T10:00:00+00:00', trigger: 'manual sync', trigger_detail: '', token_count: 1, files: { 'project.md': '# Shop\n' } }, null, 2)}\n`,
  '.decision-hashes.json': '{}\n',
  'journal/events.jsonl': `${JSON.stringify({ event_version: 1, event_id: '0b8e7c1e-54b4-4d0c-8c2e-0d8f7d3f1a11', timestamp: '2026-05-01T10:00:00Z', operation: 'propose_decision', target: 'decision', status: 'committed', decision_id: '002-cache-reads-in-redis', origin: { transport: 'stdio-mcp', client_name: 'x' }, payload_hash: 'ab' })}\n`,
  'decisions/.lock': '',
  'state_current.md.rmwlock': '',
  'nauro-graph.html': '<html></html>',
}

let desk: ImportDesk
beforeEach(() => {
  desk = openImportDesk()
  const config = { mode: 'local', id: ID, name: 'Shop', schema_version: 1 }
  desk.write({
    ...Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`${STORE}/${path}`, text])),
    '.nauro/registry.json': JSON.stringify({
      projects: { [ID]: { name: 'Shop', mode: 'local', repo_paths: [desk.repo] } },
      schema_version: 2,
    }),
    'repo/.nauro/config.json': JSON.stringify(config),
  })
})
afterEach(() => desk.close())

test('every decision of a nauro store is read in place, and reading changes no byte', async () => {
  const before = desk.tree('.nauro')
  const listed = await desk.run(listDecisions, {})
  expect(listed.decisions.map((d: { number: number }) => d.number)).toEqual([4, 3, 2, 1])
  expect(listed.unreadable).toEqual([])
  const checked = await desk.run(checkDecision, { proposed_approach: 'Cache hot reads in Redis' })
  expect(checked.related_decisions[0].id).toBe('decision-002')
  expect((await desk.run(getContext, { level: 'L2' })).content).toContain(`base_commit: ${COMMITS[0]}`)
  const { flaws, notes } = await desk.run(doctor, {})
  expect(flaws).toEqual([])
  expect(notes.join('\n')).toContain('2 decisions have the key "base_commit"')
  expect(desk.tree('.nauro')).toEqual(before)
})

test('a supersession, an update and a new state change only the necessary lines', async () => {
  const before = desk.tree(STORE)
  await desk.run(proposeDecision, {
    title: 'Cache reads in process',
    rationale: 'One process serves all reads, so Redis buys nothing.',
    operation: 'supersede',
    affected_decision_id: 'decision-002',
  })
  await desk.run(proposeDecision, {
    rationale: 'Held in the May incident: keys were rotated in a minute.',
    operation: 'update',
    affected_decision_id: '3',
  })
  await desk.run(proposeDecision, {
    title: 'Ship when it is done',
    rationale: 'Flags outlived the features that they hid.',
    operation: 'supersede',
    affected_decision_id: '4',
  })
  const after = desk.tree(STORE)
  expect(after['decisions/002-cache-reads-in-redis.md']).toBe(
    CACHE.replace('status: active', 'status: superseded').replace('superseded_by: null', "superseded_by: '5'"),
  )
  expect(after['decisions/003-sign-tokens-with-ed25519.md']).toBe(
    APPROVED.replace('version: 1', 'version: 2').replace(
      'no curve to choose.\n',
      `no curve to choose.\n\n*Update (v2) — ${today()}:* Held in the May incident: keys were rotated in a minute.\n`,
    ),
  )
  expect(after['decisions/004-ship-behind-flags.md']).toBe(
    TAGGED.replace('status: active', 'status: superseded').replace('superseded_by: null', "superseded_by: '6'"),
  )
  const written = new Set([
    '.decision-hashes.json',
    'decisions/002-cache-reads-in-redis.md',
    'decisions/003-sign-tokens-with-ed25519.md',
    'decisions/004-ship-behind-flags.md',
    'journal/events.jsonl',
  ])
  for (const [path, text] of Object.entries(before))
    if (!written.has(path)) expect([path, after[path]]).toEqual([path, text])
  // nauro's lines are still the first of the journal.
  expect(after['journal/events.jsonl']!.startsWith(before['journal/events.jsonl']!)).toBe(true)
  expect(Object.keys(after).filter((path) => !(path in before) && !path.startsWith('snapshots/'))).toEqual([
    'decisions/005-cache-reads-in-process.md',
    'decisions/006-ship-when-it-is-done.md',
  ])
  expect((await desk.run(doctor, {})).flaws).toEqual([])
  await desk.run(updateState, { delta: 'The cart is done.' })
})

test('a nauro store at another path is found through the nauro registry', async () => {
  const folder = `disk/${ID}`
  desk.write({
    ...Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`${folder}/${path}`, text])),
    '.nauro/registry.json': JSON.stringify({
      projects: { [ID]: { name: 'Shop', repo_paths: [desk.repo], store_path: join(desk.home, folder) } },
      schema_version: 2,
    }),
  })
  expect((await desk.context.record()).project.location).toBe(join(desk.home, folder))
})

test('an unreadable file is counted by every read of the record', async () => {
  desk.write({ [`${STORE}/decisions/005-broken.md`]: 'no decision\n' })
  const context = await desk.run(getContext, {})
  expect(context.unreadable).toBe(1)
  expect(context.content).toContain('1 file of the record could not be read; `ken doctor` says why.')
  const opened = await hookContext(await desk.context.record(), {
    event: 'session-start',
    prompt: '',
    trace: { shown: [] } as never,
    now: desk.context.clock.now(),
  })
  expect(opened?.text).toContain('1 file of the record could not be read')
  expect((await desk.run(listDecisions, {})).unreadable).toMatchObject([{ path: 'decisions/005-broken.md' }])
})

const today = (): string => desk.context.clock.now().toISOString().slice(0, 10)
