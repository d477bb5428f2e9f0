import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeDecision } from '../merge-decision.ts'
import { formatDecision } from './format.ts'
import { parseDecision } from './parse.ts'
import { type DecisionChange, rewriteDecision } from './rewrite.ts'

const NAME = '007-a.md'
const BODY = '\n# 007 — A\n\nBefore.\n\n## Decision\n\nWhy.\n\n## Rejected Alternatives\n\n### B\n\nNo.\n\n\n'
const file = (yaml: string): string => `---\n${yaml}---\n${BODY}`
const rewrite = (text: string, change: DecisionChange): string => rewriteDecision(parseDecision(text, NAME), change)
const SUPERSEDED: DecisionChange = { status: 'superseded', superseded_by: '9' }

test('changes a value in place; comments, order and spelling of everything else are kept', () => {
  const text = file(
    'team: core # ours\nconfidence:   "high"\nstatus: active  # for now\n# a remark\ndate: \'2026-01-02\'\nsuperseded_by:\nx-y: |\n  status: no\n  more\n',
  )
  expect(rewrite(text, SUPERSEDED)).toBe(
    text.replace('status: active', 'status: superseded').replace('superseded_by:', "superseded_by: '9'"),
  )
})

test('inserts a new key after the nearest preceding one, above foreign keys', () => {
  const text = file('date: 2026-01-02\nconfidence: high\nbase_commit: abc\n')
  expect(rewrite(text, { ...SUPERSEDED, supersedes: '3', version: 2 })).toBe(
    file(
      "date: 2026-01-02\nversion: 2\nstatus: superseded\nconfidence: high\nsupersedes: '3'\nsuperseded_by: '9'\nbase_commit: abc\n",
    ),
  )
})

test('an update adds to the rationale and moves nothing around it', () => {
  const text = file('date: 2026-01-02\nconfidence: high\nversion: 1\nk: v\n')
  expect(rewrite(text, { version: 2, rationale: 'Why.\n\nMore.' })).toBe(
    text.replace('version: 1', 'version: 2').replace('Why.', 'Why.\n\nMore.'),
  )
})

test('replaces a list and removes a key with all of their lines', () => {
  const text = file("date: 2026-01-02\nconfidence: high\nfiles_affected:\n- a\n- b\nsupersedes: '3'\nk: v\n")
  expect(rewrite(text, { files_affected: ['c'], supersedes: null })).toBe(
    file('date: 2026-01-02\nconfidence: high\nfiles_affected:\n- c\nk: v\n'),
  )
})

test('rewrites a file that cannot be edited in place, and rejects one with its keys on one line', () => {
  const twice = file('date: 2026-01-02\nconfidence: low\nconfidence: high\n')
  expect(rewrite(twice, SUPERSEDED)).toBe(formatDecision({ ...parseDecision(twice, NAME), ...SUPERSEDED }))
  expect(() => rewrite(file('{date: 2026-01-02, confidence: high, k: v}\n'), SUPERSEDED)).toThrow(
    'not each on a line of its own',
  )
})

test('foreign keys are kept byte for byte, whatever they contain', () => {
  const value = fc.oneof(
    fc.constantFrom(
      'null',
      '[]',
      '~',
      "'it''s'",
      '"a\\"b"',
      '|\n  x\n  status: y',
      '\n- a\n- b',
      '{a: [1, 2]}',
      '>-\n  x',
    ),
    fc.stringMatching(/^[a-z0-9]{1,20}$/),
  )
  const key = fc.constantFrom('base_commit', 'team', 'x-1', 'Status', 'weight')
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.nat(4), (foreign, at) => {
      const own = ['date: 2026-01-02', 'version: 1', 'status: active', 'confidence: high']
      const lines = Object.entries(foreign).map(
        ([name, given]) => `${name}:${given.startsWith('\n') ? '' : ' '}${given}`,
      )
      const text = file([...own.slice(0, at), ...lines, ...own.slice(at)].map((line) => `${line}\n`).join(''))
      const changed = rewrite(text, SUPERSEDED)
      for (const line of lines) expect(changed).toContain(`\n${line}\n`)
      expect(changed.replace(/^superseded_by: '9'\n/m, '').replace('status: superseded', 'status: active')).toBe(text)
    }),
  )
})

test('merges two branches although the file contains keys from other programs', () => {
  const base = file('date: 2026-01-02\nconfidence: high\nsuperseded_by: null\nbase_commit: abc\n')
  const ours = rewrite(base, SUPERSEDED)
  const theirs = rewrite(base, { version: 2, rationale: 'Why.\n\nMore.' })
  expect(mergeDecision({ base, ours, theirs }, NAME)).toEqual({
    text: rewrite(rewrite(base, { version: 2, rationale: 'Why.\n\nMore.' }), SUPERSEDED),
    conflicts: [],
  })
  expect(mergeDecision({ base, ours: ours.replace('abc', 'def'), theirs }, NAME)).toBeUndefined()
})
