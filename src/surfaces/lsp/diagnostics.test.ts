import { expect, test } from 'vitest'
import type { Finding } from '../../record/domain/guard/finding.ts'
import type { DriftFinding } from '../../record/find-drift.ts'
import { toEditorFindings } from './diagnostics.ts'

const finding = (given: Partial<Finding>): Finding => ({
  kind: 'returns',
  severity: 'warning',
  file: 'a.ts',
  line: 2,
  also: [],
  decision: { num: 5, label: 'D005', title: 'Cache in the process', status: 'active' },
  reason: 'imports redis: D005 rejected Redis',
  ...given,
})
const place = {
  lines: ['first', "  import 'redis'  ", ''],
  path: 'a.ts',
  linkOf: (num: number) => (num === 9 ? undefined : { stem: `00${num}-x`, uri: `file:///r/00${num}-x.md` }),
}
const shown = (findings: readonly Finding[], drift: readonly DriftFinding[] = []) =>
  toEditorFindings({ findings, drift }, place)

test('marks the text of the line, with the decision as its code and link', () => {
  const [each] = shown([finding({})])
  expect(each!.diagnostic).toMatchObject({
    range: { start: { line: 1, character: 2 }, end: { line: 1, character: 16 } },
    severity: 2,
    code: 'D005',
    codeDescription: { href: 'file:///r/005-x.md' },
  })
  expect(each!.line).toBe("import 'redis'")
})

test('separates warnings, information and hints by what guard found', () => {
  const severities = shown([
    finding({ kind: 'governed', severity: 'note', line: null, reason: 'names a.ts' }),
    finding({ severity: 'note', reason: 'seems to have rejected Redis', inferred: true }),
    finding({}),
  ]).map(({ diagnostic }) => diagnostic.severity)
  expect(severities).toEqual([2, 3, 4])
})

test('shows a reason once per line, and only the newest decisions of a crowded line', () => {
  const many = [1, 2, 3, 4, 6].map((num) =>
    finding({ decision: { num, label: `D00${num}`, title: 'x', status: 'active' }, reason: `because of ${num}` }),
  )
  expect(shown([finding({}), finding({})])).toHaveLength(1)
  expect(shown(many).map(({ diagnostic }) => diagnostic.code)).toEqual(['D006', 'D004', 'D003'])
})

test('leaves out a deleted decision, and lines beyond the end of the text', () => {
  expect(shown([finding({ decision: { num: 9, label: 'D009', title: 'x', status: 'active' } })])).toEqual([])
  expect(shown([finding({ line: 99 })])[0]!.diagnostic.range.start.line).toBe(2)
})

test('shows invisible characters as their codes', () => {
  expect(shown([finding({ reason: 'a\u202eb\u001b[31m' })])[0]!.diagnostic.message).toBe('a\\u{202e}b\\u{1b}[31m')
})
