import { expect, test } from 'vitest'
import { graphSource, type Given } from '../../../../test/sample-record.ts'
import { variedDecisions } from '../../../../test/varied-record.ts'
import { tagsOf } from '../decision/tags.ts'
import { buildGraph } from './graph.ts'
import type { Grouping, GroupKind } from './grouping.ts'

const groupings = (decisions: readonly Given[], bodies = true): readonly Grouping[] =>
  buildGraph(graphSource(decisions), { bodies }).groupings
const by = (kind: GroupKind, decisions: readonly Given[]): Grouping =>
  groupings(decisions).find((grouping) => grouping.by === kind)!
const groupOf = (grouping: Grouping, place: number): string => grouping.names[grouping.of[place]!]!
const plain = (count: number, more: (i: number) => Partial<Given>): Given[] =>
  Array.from({ length: count }, (_, i): Given => ({ num: i + 1, title: `Subject ${i}`, ...more(i) }))

test('every grouping puts every decision into exactly one group, and no group is empty', () => {
  for (const count of [0, 1, 5, 6, 40, 300]) {
    for (const { names, of, rest } of groupings(variedDecisions(count))) {
      expect(of).toHaveLength(count)
      expect(new Set(names).size).toBe(names.length)
      expect(new Set(of)).toEqual(new Set(names.keys()))
      expect(names.length).toBeLessThanOrEqual(24)
      expect(rest === null || rest < names.length).toBe(true)
    }
  }
})

test('groups by topic if there are no types and files', () => {
  const decisions = variedDecisions(60).map((given) => ({ ...given, decision_type: null, files_affected: [] }))
  expect(groupings(decisions).map((grouping) => grouping.by)).toEqual(['topic', 'date', 'status'])
})

test('types or folders of most decisions are more informative than topics from words', () => {
  const types = ['pattern', 'architecture', 'refactor'] as const
  expect(groupings(plain(30, (i) => ({ decision_type: types[i % 3]! })))[0]!.by).toBe('type')
  expect(groupings(plain(30, (i) => ({ files_affected: [`part${i % 5}/a.ts`] })))[0]!.by).toBe('folder')
  // A type shared by all, or set for few, is uninformative.
  expect(groupings(plain(30, () => ({ decision_type: 'pattern' })))[0]!.by).toBe('topic')
  expect(groupings(plain(30, (i) => (i < 9 ? { decision_type: types[i % 3]! } : {})))[0]!.by).toBe('topic')
})

test('types keep their order, and decisions without a type are last', () => {
  const grouping = by('type', [
    { num: 1, title: 'A' },
    { num: 2, title: 'B', decision_type: 'refactor' },
    { num: 3, title: 'C', decision_type: 'api_design' },
  ])
  expect(grouping).toMatchObject({ names: ['API design', 'Refactor', 'No type'], of: [2, 1, 0], rest: 2 })
})

test('groups by top-level folder, but deeper where most of the work is', () => {
  const grouping = by(
    'folder',
    plain(20, (i) => ({
      files_affected:
        i < 8
          ? ['src/api/a.ts']
          : i < 15
            ? ['src/store/b.ts', 'docs/x.md', 'src/store/c.ts']
            : i < 18
              ? ['docs/x.md']
              : [],
    })),
  )
  expect(grouping.names).toEqual(['docs', 'src/api', 'src/store', 'No files'])
  expect(groupOf(grouping, 10)).toBe('src/store')
})

test('patterns, Windows paths and top-level files have a folder too', () => {
  const files = ['src/**/*.ts', 'src\\win\\a.ts', 'README.md', './src/x/y.ts', '/etc/hosts', '../../etc/passwd', 'lib/']
  const grouping = by(
    'folder',
    files.map((file, i) => ({ num: i + 1, title: 'T', files_affected: [file] })),
  )
  expect(files.map((_, i) => groupOf(grouping, i))).toEqual([
    'src',
    'src/win',
    'Top folder',
    'src/x',
    'etc',
    '..',
    'lib',
  ])
})

test.each([
  [
    ['2026-01-03', '2026-02-03', '2026-02-09'],
    ['Jan 2026', 'Feb 2026'],
  ],
  [
    ['2019-05-01', '2021-01-01', '2021-12-31', '2023-01-01'],
    ['2019', '2021', '2023'],
  ],
  [Array.from({ length: 60 }, (_, i) => `${1960 + i}-01-01`), ['1960s', '1970s', '1980s', '1990s', '2000s', '2010s']],
])('dates %j are grouped as %j', (dates, names) => {
  const decisions = dates.map((date, i): Given => ({ num: i + 1, title: 'T', date }))
  expect(by('date', decisions.toReversed()).names).toEqual(names)
})

test('decisions with common words share a topic named after them', () => {
  const subjects = [
    ['Kafka retries', 'Kafka topics and consumer groups retry with a broker and dead letters in the queue'],
    ['Login with passkeys', 'Login sessions and passwords, passkeys and tokens for authentication of a person'],
    ['Playwright tests', 'Browser tests run in Playwright with fixtures, screenshots and flaky tests quarantined'],
  ] as const
  const decisions = plain(36, (i) => {
    const [title, rationale] = subjects[i % 3]!
    return { title: `${title} ${i}`, rationale }
  })
  const topics = by('topic', decisions)
  const kafka = decisions.flatMap(({ title }, i) => (title.startsWith('Kafka') ? [topics.of[i]!] : []))
  const others = decisions.flatMap(({ title }, i) => (title.startsWith('Kafka') ? [] : [topics.of[i]!]))
  expect(others.filter((group) => kafka.includes(group))).toEqual([])
  for (const group of new Set(kafka)) expect(topics.names[group]).toMatch(/kafka|retries|broker|consumer|queue|dead/i)
})

test('topics are based on vectors if given', () => {
  const source = graphSource(plain(12, () => ({})))
  const vectors = new Map(
    source.decisions.map(({ stem }, i) => [stem, Float32Array.from(i % 2 === 0 ? [1, i / 100, 0] : [0, i / 100, 1])]),
  )
  const topics = buildGraph({ ...source, vectors }, { bodies: true }).groupings.find(({ by }) => by === 'topic')!
  expect(topics.of.filter((_, i) => i % 2 === 0)).toEqual(Array.from({ length: 6 }, () => topics.of[0]))
  expect(topics.of[0]).not.toBe(topics.of[1])
})

test('the topics of an unchanged record do not change', () => {
  expect(groupings(variedDecisions(120))).toEqual(groupings(variedDecisions(120)))
})

test('a topic is not named after a word of a text if bodies are excluded', () => {
  const decisions = plain(20, (i) => ({ rationale: i % 2 === 0 ? 'zebrafish plankton' : 'walrus ice' }))
  expect(JSON.stringify(groupings(decisions, true))).toMatch(/zebrafish/i)
  expect(JSON.stringify(groupings(decisions, false))).not.toMatch(/zebrafish|plankton|walrus|\bice\b/i)
})

test.each([
  ['---\ndate: 2026-01-01\ntags: [api, "Data Base"]\n---\n# T', ['api', 'data base']],
  ['---\ntags:\n  - api\n  - ops\nstatus: active\n---\n# T', ['api', 'ops']],
  ['# T\n\n* Tags: one, two, one\n', ['one', 'two']],
  ['# T\n\n**Tags:** security\n', ['security']],
  ['# T\n\nNothing here about a tag: it is plain.\n', []],
])('tags of %j are %j', (content, tags) => expect(tagsOf(content)).toEqual(tags))

test('a secret in a line of tags is redacted before it loses its capitals', () =>
  expect(tagsOf(`# T\n\nTags: one, ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}\n`)).toEqual(['one', 'redacted']))
