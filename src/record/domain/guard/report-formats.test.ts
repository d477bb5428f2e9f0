import { expect, test } from 'vitest'
import type { Finding } from './finding.ts'
import { GUARD_RULES, toGithub, toSarif } from './report-formats.ts'

const FINDING: Finding = {
  kind: 'returns',
  severity: 'warning',
  file: 'src/a b#1/ü.ts',
  line: 12,
  also: ['src/other.ts'],
  decision: { num: 5, label: 'D005', title: 'Queue: Postgres, not Redis', status: 'active' },
  reason: 'imports redis: 100% rejected\nbecause of cost',
}

test('a workflow command stays on one line, whatever the finding contains', () => {
  expect(toGithub([FINDING])).toBe(
    '::warning file=src/a b#1/ü.ts,line=12,title=D005 Queue%3A Postgres%2C not Redis::imports redis: 100%25 rejected%0Abecause of cost (also src/other.ts)',
  )
  const hostile = toGithub([{ ...FINDING, file: 'x,line=1::\r\n::error::y', line: null, severity: 'note' }])
  expect(hostile.split(/\r|\n/)).toHaveLength(1)
  expect(hostile).toMatch(/^::notice file=x%2Cline=1%3A%3A%0D%0A%3A%3Aerror%3A%3Ay,title=/)
})

test('a SARIF log has a rule for every kind, and results that refer to the rules', () => {
  const log = toSarif(
    [FINDING, { ...FINDING, kind: 'governed', severity: 'note', line: null, also: [] }],
    GUARD_RULES,
  ) as any
  expect(log).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Ken' } } }] })
  const [{ tool, results }] = log.runs
  for (const result of results) expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
  expect(results[0]).toMatchObject({
    level: 'warning',
    message: { text: FINDING.reason },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/a%20b%231/%C3%BC.ts', uriBaseId: '%SRCROOT%' },
          region: { startLine: 12 },
        },
      },
    ],
  })
  expect(results[0].relatedLocations).toHaveLength(1)
  expect(results[1].locations[0].physicalLocation.region).toBeUndefined()
})

test('a finding keeps its fingerprint when it moves down in the file', () => {
  const print = (line: number) =>
    (toSarif([{ ...FINDING, line }], GUARD_RULES) as any).runs[0].results[0].partialFingerprints
  expect(print(3)).toEqual(print(40))
})

test('encodes a file name that is not valid Unicode as a valid URI', () => {
  expect(JSON.stringify(toSarif([{ ...FINDING, file: 'bad\ud800.ts' }], GUARD_RULES))).toContain('bad%EF%BF%BD.ts')
})
