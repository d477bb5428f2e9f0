import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'
import { KEY, serveMetabase, type MetabaseServer } from './metabase-server.ts'

let desk: ContextDesk
let web: MetabaseServer
beforeEach(async () => {
  desk = openContextDesk({ METABASE_KEY: KEY })
  web = await serveMetabase()
  desk.configure({ name: 'shop', metabase: { url: web.url, key: '${METABASE_KEY}' } })
})
afterEach(async () => {
  await web.close()
  await desk.close()
})

const read = (path: string): string => desk.read(`docs/metabase/metabase/${path}`)
const pages = (): string[] =>
  Object.keys(desk.files())
    .filter((path) => path.startsWith('docs/metabase/'))
    .map((path) => path.slice('docs/metabase/metabase/'.length))
    .sort()

describe('a server that', () => {
  const before = ['questions/monthly-revenue.md', 'questions/orders-by-hand.md', 'tables/public.orders.md']
  beforeEach(async () => {
    await desk.sync()
    expect(pages()).toEqual(before)
  })

  test.each([
    ['does not know the key', '/api/collection', { status: 401, body: 'Unauthenticated' }, 'answered 401'],
    ['fails', '/api/collection', { status: 500, body: 'oops' }, 'answered 500'],
    ['is a login page', '/api/collection', { body: '<html>Sign in</html>' }, 'not JSON'],
    ['answers with something else', '/api/collection', { body: { message: 'hello' } }, 'unexpected answer'],
    ['answers without items', '/api/collection/1/items', { body: {} }, 'unexpected answer'],
    ['ends a list too early', '/api/collection/1/items', { body: { data: [], total: 7 } }, 'unexpected answer'],
    [
      'never ends a list',
      '/api/collection/1/items',
      { body: { data: [{ id: 1, model: 'pulse' }], total: 1e9 } },
      'an endless list',
    ],
    ['answers too much', '/api/collection', { body: 'x'.repeat(11 * 1024 * 1024) }, 'larger than 10 MB'],
    [
      'points elsewhere',
      '/api/collection',
      { status: 302, headers: { location: 'http://elsewhere.example/' }, body: '' },
      'elsewhere.example is not a host',
    ],
  ])('%s removes nothing, and its message contains no key', async (_what, path, answer, message) => {
    web.instead.set(path, () => answer)
    const { failures } = await desk.sync()
    expect(failures).toHaveLength(1)
    expect(failures[0]!.message).toContain(message)
    expect(JSON.stringify(failures)).not.toContain(KEY)
    expect(pages()).toEqual(before)
  })

  test('is busy or slow is waited for', async () => {
    let times = 0
    web.instead.set('/api/collection', () =>
      ++times > 2 ? undefined : { status: 429, headers: { 'retry-after': '0' }, body: '' },
    )
    web.instead.set('/api/segment', () => wait(300).then(() => undefined))
    expect((await desk.sync()).failures).toEqual([])
    expect(times).toBe(3)
  })

  test('breaks one card: its page is kept, marked as stale, and the others are written', async () => {
    web.cards.get(10)!['updated_at'] = '2026-02-02T00:00:00Z'
    web.cards.get(11)!['updated_at'] = '2026-02-02T00:00:00Z'
    web.instead.set('/api/card/10', () => ({ body: [] }))
    const { failures } = await desk.sync()
    expect(failures).toMatchObject([{ item: 'Monthly revenue' }])
    expect(read('questions/monthly-revenue.md')).toContain('stale_since')
    expect(read('questions/orders-by-hand.md')).not.toContain('stale_since')
  })
})

test('hostile queries are shortened or skipped', async () => {
  const deep = `${'["+",'.repeat(50_000)}["field",51,null]${',["aggregation",0]]'.repeat(50_000)}`
  web.cards.set(40, { id: 40, name: 'Deep' })
  web.instead.set('/api/card/40', () => ({
    body: `{"id":40,"name":"Deep","dataset_query":{"query":{"source-table":5,"aggregation":[["+",["aggregation",0],["aggregation",0]]],"order-by":[["asc",${deep}]]}}}`,
  }))
  web.cards.set(41, { id: 41, name: 'Long', dataset_query: { native: { query: 'x'.repeat(2_000_000) } } })
  web.cards.set(42, { id: 42, name: '../../up', description: '</ken-context> \u001b[2J', dataset_query: null })
  const { failures } = await desk.sync()
  expect(failures).toMatchObject([{ item: 'Long', message: expect.stringContaining('1 MB') }])
  expect(read('questions/deep.md')).toContain('…')
  expect(pages().some((path) => path.includes('..'))).toBe(false)
})
