import { describe, expect, test } from 'vitest'
import { graphSource, type Given } from '../../../../test/sample-record.ts'
import type { Verdict } from '../../../retrieval/domain/ranking/verdict.ts'
import { addedLines, type Changed } from './added-lines.ts'
import type { Finding } from './finding.ts'
import { judgeDiff } from './judge.ts'
import { diffTopics } from './topics.ts'
import type { TopicHit } from './touched.ts'

const REDIS: Given = {
  num: 5,
  title: 'Jobs run in a Postgres queue',
  rationale: 'We run Postgres already, and would have to learn to run Redis.',
  rejected: [
    { name: 'Redis', reason: 'One more service to run. And to back up.' },
    { name: 'Event sourcing', reason: 'Nobody here has done it.' },
  ],
}

function changed(path: string, text: string, more: Partial<Changed> = {}): Changed {
  return {
    path,
    status: 'modified',
    previousPath: undefined,
    removed: [],
    added: text.split('\n').map((line, i) => ({ line: i + 1, text: line })),
    ...more,
  }
}

/** Judges as if the record's search had found every decision for every topic, with one verdict. */
function judge(files: readonly Changed[], decisions: readonly Given[], verdict: Verdict = 'none'): Finding[] {
  const record = graphSource(decisions)
  const lines = addedLines(files)
  const hits = diffTopics(files, lines).topics.flatMap((topic) =>
    record.decisions.map((entry): TopicHit => ({ topic, entry, text: record.texts.get(entry.stem)!, verdict })),
  )
  return judgeDiff({ files, lines }, record, hits)
}

const briefly = (findings: readonly Finding[]): string[] =>
  findings.map((f) => `${f.severity} ${f.kind} ${f.file}:${f.line} ${f.decision.label}`)

describe('reports a reintroduced alternative', () => {
  test('reports a package in a manifest, with the reason for its rejection', () => {
    const [finding, ...others] = judge(
      [changed('package.json', '{\n  "dependencies": {\n    "redis": "^4.6.0"')],
      [REDIS],
    )
    expect(finding).toMatchObject({
      kind: 'returns',
      severity: 'warning',
      file: 'package.json',
      line: 3,
      decision: { label: 'D005' },
    })
    expect(finding?.reason).toBe(
      'adds the package redis: D005 "Jobs run in a Postgres queue" rejected Redis (One more service to run)',
    )
    expect(others).toEqual([])
  })

  test('reports an import', () => {
    expect(briefly(judge([changed('src/q.ts', "\nimport { createClient } from '@redis/client'")], [REDIS]))).toEqual([
      'warning returns src/q.ts:2 D005',
    ])
  })

  test('reports a name in code, with severity note', () => {
    expect(briefly(judge([changed('src/q.ts', 'const store = new RedisStore()')], [REDIS]))).toEqual([
      'note returns src/q.ts:1 D005',
    ])
    expect(briefly(judge([changed('src/q.ts', 'startEventSourcing()')], [REDIS]))).toEqual([
      'note returns src/q.ts:1 D005',
    ])
  })

  test('reports once per decision and thing, with the manifest before the code', () => {
    const findings = judge(
      [
        changed('src/q.ts', "import x from 'redis'"),
        changed('src/r.ts', 'new Redis()'),
        changed('package.json', '"redis": "^4"'),
      ],
      [REDIS],
    )
    expect(findings).toMatchObject([{ file: 'package.json', also: ['src/q.ts', 'src/r.ts'] }])
  })

  test('ignores an option that is moved, edited or bumped', () => {
    expect(judge([changed('package.json', '"redis": "^5.0.0"', { removed: ['"redis": "^4.6.0"'] })], [REDIS])).toEqual(
      [],
    )
    expect(judge([changed('src/q.ts', 'new Redis(url)', { removed: ['new Redis()'] })], [REDIS])).toEqual([])
  })

  test('ignores a comment, prose, a lock file, and the record that rejected it', () => {
    const files = [
      changed('src/q.ts', '// Redis would be too much'),
      changed('docs/why.md', 'We did not take Redis.'),
      changed('yarn.lock', 'redis@^4.6.0'),
      changed('.ken/record/decisions/005-x.md', '### Redis'),
    ]
    expect(judge(files, [REDIS])).toEqual([])
  })

  test('ignores a sentence inside a longer string', () => {
    expect(judge([changed('src/help.ts', '  We do not use Redis or Kafka for this.')], [REDIS])).toEqual([])
    expect(briefly(judge([changed('src/q.ts', 'export default class RedisCache extends Cache')], [REDIS]))).toEqual([
      'note returns src/q.ts:1 D005',
    ])
  })

  test('ignores a generated line', () => {
    expect(judge([changed('src/table.ts', `const data = "${'x '.repeat(300)}" + new Redis()`)], [REDIS])).toEqual([])
  })

  test('ignores an option chosen by the successor of the decision that rejected it', () => {
    const later: Given[] = [
      { ...REDIS, status: 'superseded', superseded_by: '9' },
      { num: 9, title: 'Jobs run in Redis', supersedes: '5' },
    ]
    expect(judge([changed('package.json', '"redis": "^4"')], later)).toEqual([])
  })

  test('reports a thing that the successor of the decision that rejected it did not choose', () => {
    const later: Given[] = [
      { ...REDIS, status: 'superseded', superseded_by: '9' },
      { num: 9, title: 'Jobs run in a Postgres queue with leases', supersedes: '5' },
    ]
    const [finding] = judge([changed('package.json', '"redis": "^4"')], later)
    expect(finding).toMatchObject({ severity: 'warning', decision: { label: 'D009' } })
    expect(finding?.reason).toBe(
      'adds the package redis: D005 "Jobs run in a Postgres queue" rejected Redis (One more service to run), and D009 "Jobs run in a Postgres queue with leases" keeps it so',
    )
  })

  test('reports a note if a newer decision has chosen the option for another purpose', () => {
    expect(
      briefly(
        judge([changed('package.json', '"redis": "^4"')], [REDIS, { num: 9, title: 'Cache hot reads in Redis' }]),
      ),
    ).toEqual(['note returns package.json:1 D005'])
  })

  test('reports an option even if the title of the decision names it as rejected', () => {
    for (const title of ['A Postgres queue instead of Redis', 'No Redis']) {
      expect(briefly(judge([changed('package.json', '"redis": "^4"')], [{ ...REDIS, title }]))).toEqual([
        'warning returns package.json:1 D005',
      ])
    }
  })

  test('reports code only within the files of the decision, if it names any', () => {
    const scoped = [{ ...REDIS, files_affected: ['src/jobs/'] }]
    expect(briefly(judge([changed('src/web/a.ts', 'new Redis()')], scoped))).toEqual([])
    expect(briefly(judge([changed('src/jobs/a.ts', 'new Redis()')], scoped))).toContain(
      'note returns src/jobs/a.ts:1 D005',
    )
  })
})

describe('reports a reintroduced superseded choice', () => {
  const replaced: Given[] = [
    { num: 3, title: 'Use MongoDB for events', status: 'superseded', superseded_by: '8' },
    { num: 8, title: 'Use Postgres for events', supersedes: '3' },
  ]

  test('reports a package, naming the successor', () => {
    const [finding] = judge([changed('package.json', '"mongodb": "^6"')], replaced)
    expect(finding).toMatchObject({
      kind: 'returns',
      severity: 'warning',
      decision: { label: 'D003', status: 'superseded' },
    })
    expect(finding?.reason).toBe(
      'adds the package mongodb: D003 "Use MongoDB for events" was replaced by D008 "Use Postgres for events"',
    )
  })

  test('reports it once, for the successor, if the successor rejected it by name', () => {
    const told = [replaced[0]!, { ...replaced[1]!, rejected: [{ name: 'MongoDB', reason: 'No joins.' }] }]
    expect(briefly(judge([changed('package.json', '"mongodb": "^6"')], told))).toEqual([
      'warning returns package.json:1 D008',
    ])
  })

  test('ignores a choice that an active decision names in its title', () => {
    expect(
      judge(
        [changed('package.json', '"mongodb": "^6"')],
        [...replaced, { num: 12, title: 'Keep the archive in MongoDB' }],
      ),
    ).toEqual([])
  })
})

describe('a decision governs the files it names', () => {
  const decision: Given = {
    num: 7,
    title: 'Handlers return problem details',
    files_affected: ['src/api/', 'openapi.yaml', 'test/**/*.http'],
  }

  test('matches by folder, by name and by glob, in one finding', () => {
    const files = ['src/api/users.ts', 'openapi.yaml', 'test/a/b.http', 'src/apis.ts'].map((path) => changed(path, 'x'))
    expect(judge(files, [decision])).toMatchObject([
      {
        kind: 'governed',
        severity: 'note',
        file: 'src/api/users.ts',
        line: null,
        also: ['openapi.yaml', 'test/a/b.http'],
      },
    ])
  })

  test('reports deleted and renamed files, with a note', () => {
    expect(judge([changed('openapi.yaml', '', { status: 'deleted', added: [] })], [decision])[0]?.reason).toContain(
      'openapi.yaml is deleted here',
    )
    expect(
      judge([changed('spec.yaml', '', { status: 'renamed', previousPath: 'openapi.yaml', added: [] })], [decision])[0]
        ?.reason,
    ).toContain('openapi.yaml is renamed here')
  })

  test('does not govern files once it is superseded', () => {
    expect(judge([changed('openapi.yaml', 'x')], [{ ...decision, status: 'superseded', superseded_by: '9' }])).toEqual(
      [],
    )
  })
})

describe('words touch a decision', () => {
  const money: Given = {
    num: 16,
    title: 'Store money as integer minor units',
    rationale: 'Floats drift when amounts are summed. We tried dinero.',
  }

  test('if a comment is about its subject', () => {
    const [finding] = judge(
      [changed('src/price.ts', '// Keeps money in minor units,\n// never as a float.')],
      [money],
      'related',
    )
    expect(finding).toMatchObject({ kind: 'touched', severity: 'note', file: 'src/price.ts', line: 1 })
    expect(finding?.reason).toContain('is about money, minor, units, float')
  })

  test('if a new name or file consists of words of its title', () => {
    expect(
      briefly(judge([changed('src/a.ts', 'export function toMinorUnits(amount: number) {')], [money], 'strong')),
    ).toEqual(['note touched src/a.ts:1 D016'])
    expect(
      briefly(judge([changed('src/billing/minor-units.ts', 'x', { status: 'added' })], [money], 'related')),
    ).toEqual(['note touched src/billing/minor-units.ts:null D016'])
  })

  test('if a package is the subject of its title', () => {
    expect(
      briefly(
        judge(
          [changed('package.json', '"argon2": "^0.40"')],
          [{ num: 2, title: 'Hash passwords with argon2' }],
          'strong',
        ),
      ),
    ).toEqual(['note touched package.json:1 D002'])
  })

  test('do not match by one common word, nor with a weak search verdict', () => {
    expect(
      judge([changed('src/a.ts', '// The store is opened when the first request comes in')], [money], 'strong'),
    ).toEqual([])
    expect(judge([changed('package.json', '"dinero": "^2"')], [money], 'strong')).toEqual([])
    expect(judge([changed('src/price.ts', '// Keeps money in minor units')], [money], 'weak')).toEqual([])
  })

  test('a comment does not match by only one phrase of the title', () => {
    const arguments_ = {
      num: 4,
      title: 'Parse the command line with yargs',
      rationale: 'It merges files and arguments.',
    }
    const comment = '// append ignore patterns of the command line to those of the cache'
    expect(judge([changed('src/a.js', comment)], [arguments_], 'strong')).toEqual([])
  })

  test('are not reported if the decision has a stronger reason', () => {
    expect(
      briefly(
        judge(
          [changed('src/price.ts', '// Keeps money in minor units')],
          [{ ...money, files_affected: ['src/price.ts'] }],
          'strong',
        ),
      ),
    ).toEqual(['note governed src/price.ts:null D016'])
  })
})

test('reports nothing for the seed decision and an empty record', () => {
  const seed: Given = { num: 1, title: 'Initial project setup', rejected: [{ name: 'Redis', reason: 'No.' }] }
  expect(judge([changed('package.json', '"redis": "^4"')], [seed], 'strong')).toEqual([])
  expect(judge([changed('package.json', '"redis": "^4"')], [])).toEqual([])
})
