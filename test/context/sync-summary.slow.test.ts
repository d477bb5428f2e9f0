import { afterEach, beforeEach, expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import type { ProgressPart } from '../../src/kernel/ports/call.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
  desk.sqlite('shop.db', ...Array.from({ length: 5 }, (_, i) => `CREATE TABLE t${i} (id INTEGER PRIMARY KEY)`))
  desk.write('handbook/long.md', 'many words '.repeat(2_000))
  desk.write('handbook/short.md', 'few words')
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }],
    docs: [{ name: 'handbook', path: 'handbook' }],
  })
})
afterEach(() => desk.close())

const rendered = (output: Awaited<ReturnType<ContextDesk['sync']>>): string => syncSources.render(output, {} as never)

test('the summary lists each source with files and tokens, and the largest files; for programs, it lists all files', async () => {
  const output = await desk.sync()
  expect(output.sources).toMatchObject([
    { source: 'database/shop', listed: 5, written: 5, files: 20 },
    { source: 'docs/handbook', listed: 2, written: 2, files: 2, tokens: 5_503 },
  ])
  expect(output.file_tokens).toHaveLength(output.files)
  expect(output.file_tokens.slice(0, 1)).toEqual([{ path: 'docs/handbook/long.md', tokens: 5_500 }])
  expect(output.file_tokens.reduce((sum, file) => sum + file.tokens, 0)).toBe(output.tokens)
  expect(output.slow.map(({ item }) => item).toSorted()).toEqual([
    ...Array.from({ length: 5 }, (_, i) => `database/shop main.t${i}`),
    'docs/handbook long.md',
    'docs/handbook short.md',
  ])
  expect(rendered(output)).toMatch(
    /^ {2}database\/shop {2}5 items, 5 written, 20 files of [\d,]+ tokens {2}[\d.]+ s\n {2}docs\/handbook {2}2 items, 2 written, 2 files of 5,503 tokens/,
  )
  expect(rendered(output)).toContain('\nLargest, in tokens:\n  5,500  docs/handbook/long.md\n')
})

test('slow steps are named with their seconds, and a run without changes is reported in two lines', async () => {
  const output = await desk.sync()
  const slow = [
    { item: 'database/shop main.t1', milliseconds: 2_340 },
    { item: 'database/shop main.t2', milliseconds: 300 },
  ]
  expect(rendered({ ...output, slow })).toContain('\nSlowest:\n  2.3 s  database/shop main.t1\n\n')
  expect(rendered(await desk.sync()).split('\n')).toHaveLength(4)
})

test('progress covers every source: how much it has to fetch, each item done, and its end', async () => {
  const told: (readonly ProgressPart[])[] = []
  await desk.run(
    'sync_sources',
    { threads: 1 },
    { progress: (_message, _done, _total, parts) => void (parts && told.push(parts)) },
  )
  const shop = told.map((parts) => parts.find(({ name }) => name === 'database/shop')!)
  expect(told.every((parts) => parts.length === 2)).toBe(true)
  expect(
    [...new Set(shop.map(({ done, total }) => `${done}/${total}`))].filter((state) => !state.endsWith('undefined')),
  ).toEqual(['0/5', '1/5', '2/5', '3/5', '4/5', '5/5'])
  expect(new Set(shop.map(({ at }) => at))).toEqual(
    new Set(['', 'main.t0', 'main.t1', 'main.t2', 'main.t3', 'main.t4']),
  )
  expect(told.at(-1)!.map(({ done, total }) => [done, total])).toEqual([
    [5, 5],
    [2, 2],
  ])
})
