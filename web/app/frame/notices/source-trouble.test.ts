import { expect, test } from 'vitest'
import { sourceTrouble, type Source } from './source-trouble.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const source = (more: Partial<Source>): Source => ({
  name: 'shop',
  key: 'database/shop',
  type: 'duckdb',
  where: 'shop.duckdb',
  trusted: true,
  synced: '2026-11-01T00:00:00.000Z',
  checked: '2026-11-16T06:00:00.000Z',
  reaches: [],
  items: 8,
  files: 32,
  tokens: 5_000,
  ...more,
})

test('a recently checked source is fine, even if it has not changed for a long time', () =>
  expect(sourceTrouble(source({}), NOW)).toBeUndefined())

test.each([
  [{ problem: 'path is missing' }, 'bad', 'path is missing'],
  [{ trusted: false }, 'bad', 'Reads data outside this folder. Review and trust it first.'],
  [{ failing: { since: '2026-11-10', reason: 'connection refused', items: 3 } }, 'bad', 'connection refused'],
  [{ checked: '2026-11-08T00:00:00.000Z' }, 'old', 'Not synced for a week or more.'],
] as const)('%o is', (more, tone, why) => expect(sourceTrouble(source(more), NOW)).toMatchObject({ tone, why }))

test('an untrusted database is a problem on a server, but untrusted documents are not', () => {
  const refused = source({ trusted: false })
  expect(sourceTrouble(refused, NOW, { isServed: true })).toEqual({
    tone: 'bad',
    why: 'The server does not allow the analyst to query it.',
    since: undefined,
  })
  expect(sourceTrouble({ ...refused, key: 'docs/wiki' }, NOW, { isServed: true })).toBeUndefined()
})

test('a source that was never synced is stale', () => {
  const { synced: _synced, checked: _checked, ...fresh } = source({})
  expect(sourceTrouble(fresh, NOW)).toMatchObject({ tone: 'old', why: 'Never synced.' })
})
