import { describe, expect, it } from 'vitest'
import { readNauroConfig, readNauroRegistry } from '../../../kernel/domain/project/nauro-registry.ts'
import { parseDecision } from '../decision/parse.ts'
import { convertDecision, planNauroImport } from './nauro.ts'

const BODY = '\n# 012 — Cache reads\n\nSome text nauro would drop.\n\n## Decision\n\nIn Redis, for speed.\n'
const NULLS = `---\ndate: 2026-01-05\nversion: 1\nstatus: active\nconfidence: high\ndecision_type: null\nreversibility: null\nsource: mcp\nfiles_affected: []\nsupersedes: null\nsuperseded_by: null\n---\n${BODY}`
const FOREIGN = NULLS.replace(
  'superseded_by: null\n',
  `superseded_by: null\nproposed_by: 01ARZ3NDEKTSV4RRFFQ69G5FAV\napproved_at: '2026-01-05T10:00:00.000000Z'\nbase_commit: 1234567890123456789012345678901234567890\nlabels:\n- fast\n- cheap\nnested:\n  a: 1\n`,
)
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

describe('a decision of a nauro store', () => {
  it('keeps its bytes when it has only the ten keys, written as null or not', () => {
    expect(convertDecision(NULLS, '012-cache-reads.md')).toEqual({ text: NULLS, moved: {}, fault: undefined })
  })

  it('moves its other keys to the journal and keeps the rest of its bytes', () => {
    const { text, moved } = convertDecision(FOREIGN, '012-cache-reads.md')
    expect(text).toBe(NULLS)
    expect(moved).toMatchObject({
      proposed_by: ULID,
      approved_at: '2026-01-05T10:00:00.000000Z',
      labels: ['fast', 'cheap'],
      nested: { a: 1 },
    })
    expect(Object.keys(moved)).toEqual(['proposed_by', 'approved_at', 'base_commit', 'labels', 'nested'])
  })

  it('is parsed with Windows line ends, and with an unknown key between known ones', () => {
    expect(convertDecision(FOREIGN.replaceAll('\n', '\r\n'), '012-x.md').text).toBe(NULLS)
    const between = NULLS.replace('source: mcp\n', 'base_commit: abc\nsource: mcp\n').replace(
      'files_affected: []',
      'files_affected:\n- src/a.ts',
    )
    expect(parseDecision(convertDecision(between, '012-x.md').text, '012-x.md')).toMatchObject({
      files_affected: ['src/a.ts'],
      source: 'mcp',
    })
  })

  it('a decision that cannot be parsed is copied unchanged, with the reason', () => {
    expect(convertDecision('# no frontmatter\n', '3-x.md')).toMatchObject({
      text: '# no frontmatter\n',
      fault: expect.stringContaining('---'),
    })
  })
})

describe('a nauro store', () => {
  it('is imported file by file; bookkeeping is skipped and listed', () => {
    const files = {
      'project.md': '# P\r\n',
      'open-questions.md': '- [Q1] x\r\n',
      'decisions/012-cache-reads.md': FOREIGN,
      'snapshots/v001.json': '{}',
      '.decision-hashes.json': '{}',
      'journal/events.jsonl': '{}\n',
      'context/brief.md': 'b',
      'decisions/.lock': undefined,
      'state_current.md.rmwlock': undefined,
      '.sync-state.json': '{}',
      '.conflict-backup/x.md': 'x',
      'nauro-graph.html': undefined,
      'logo.png': undefined,
    }
    const plan = planNauroImport(Object.entries(files).map(([path, text]) => ({ path, text })))
    expect(Object.fromEntries(plan.files.map((f) => [f.path, f.text]))).toEqual({
      'project.md': '# P\r\n',
      'open-questions.md': '- [Q1] x\r\n',
      'decisions/012-cache-reads.md': NULLS,
      'snapshots/v001.json': '{}',
      '.decision-hashes.json': '{}',
      'journal/nauro-events.jsonl': '{}\n',
      'context/brief.md': 'b',
    })
    expect(plan.skipped.map((s) => s.path)).toEqual([
      'decisions/.lock',
      'state_current.md.rmwlock',
      '.sync-state.json',
      '.conflict-backup/x.md',
      'nauro-graph.html',
      'logo.png',
    ])
    expect(Object.keys(plan.moved)).toEqual(['decisions/012-cache-reads.md'])
  })
})

it('reads config and registry, and ignores invalid content', () => {
  expect(readNauroConfig(`{"mode":"local","id":"${ULID}","name":" Shop ","schema_version":1}`)).toEqual({
    id: ULID,
    name: 'Shop',
  })
  for (const bad of ['', '[]', '{"id":"../../etc","name":"x"}', `{"id":"${ULID}"}`])
    expect(readNauroConfig(bad)).toBeUndefined()
  const registry = JSON.stringify({
    projects: { [ULID]: { name: 'Shop', repo_paths: ['/a', 1] }, '../x': { name: 'bad' }, broken: null },
    schema_version: 2,
  })
  expect(readNauroRegistry(registry)).toEqual([{ id: ULID, name: 'Shop', repositories: ['/a'], storePath: undefined }])
  expect(readNauroRegistry('{')).toEqual([])
})
