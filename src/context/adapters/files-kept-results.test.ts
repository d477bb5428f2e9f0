import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openKeptResults } from './files-kept-results.ts'

const folder = join(mkdtempSync(join(tmpdir(), 'ken-results-')), 'results')
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

test('a result is available for an hour, readable only by its user, and then removed', async () => {
  const results = openKeptResults(folder)
  await results.keep('q_0123456789ab', 'rows')
  expect(await results.find('q_0123456789ab')).toBe('rows')
  const path = join(folder, 'q_0123456789ab.json')
  expect(statSync(path).mode & 0o077).toBe(0)
  const old = Date.now() / 1000 - 3_601
  utimesSync(path, old, old)
  expect(await results.find('q_0123456789ab')).toBeUndefined()
  expect(existsSync(path)).toBe(false)
})

test('reads a result in full while it is being replaced', async () => {
  const results = openKeptResults(folder)
  const text = 'rows'.repeat(1_000_000)
  await results.keep('q_0123456789ac', text)
  const writing = Promise.all(Array.from({ length: 8 }, () => results.keep('q_0123456789ac', text)))
  const lengths = await Promise.all(
    Array.from({ length: 40 }, async () => (await results.find('q_0123456789ac'))?.length),
  )
  await writing
  expect([...new Set(lengths)]).toEqual([text.length])
})

test.each(['../q_0123456789ab', 'q_0123456789ab/..', '', 'q_0123456789AB'])(
  '%j is not found because it is not a valid id',
  async (id) => {
    expect(await openKeptResults(folder).find(id)).toBeUndefined()
  },
)
