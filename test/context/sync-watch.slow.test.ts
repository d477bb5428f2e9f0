import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KEN } from '../ken-program.ts'
import { start, type Running } from '../upkeep/process.ts'
import { until } from '../upkeep/until.ts'
import { openContextDesk, tableFolder, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
let running: Running | undefined
beforeEach(() => {
  desk = openContextDesk()
  desk.sqlite('shop.db', 'CREATE TABLE orders (id INTEGER PRIMARY KEY)')
})
afterEach(async () => {
  await running?.end('SIGKILL')
  await desk.close()
})

function watch(...words: string[]): Running {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: desk.path('..'),
    KEN_HOME: desk.path('../home'),
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: '0',
  }
  return (running = start([KEN, 'sync', '--watch', ...words], { cwd: desk.root, env }))
}

const columns = tableFolder('shop', 'orders')
const shows = (path: string, text: string) => () => desk.exists(path) && desk.read(path).includes(text)

test('local files and ken.yaml are compiled again as soon as they change, and Ctrl-C exits cleanly', async () => {
  desk.write('handbook/page.md', 'first words\n')
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }],
    docs: [{ name: 'handbook', path: 'handbook' }],
  })
  const process = watch('--every', '86400')
  await until(
    'the first look',
    () => desk.exists('llms.txt') && process.said().err.includes('Looking again every 86400 s'),
  )
  desk.sqlite('shop.db', 'ALTER TABLE orders ADD COLUMN paid_at TEXT')
  await until('the changed table', shows(`${columns}/columns.md`, 'paid_at'))
  desk.write('handbook/page.md', 'second words\n')
  await until('the changed page', shows('docs/handbook/page.md', 'second words'))
  desk.write('manual/other.md', 'other words\n')
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }],
    docs: [{ name: 'manual', path: 'manual' }],
  })
  await until('the new source', () => desk.exists('docs/manual/other.md') && !desk.exists('docs/handbook/page.md'))
  await until('the new place', () => /docs\/manual: 1 item, 1 written/.test(process.said().err))
  desk.write('manual/other.md', 'more words\n')
  await until('a change there', shows('docs/manual/other.md', 'more words'))
  const { code, out, err } = await process.end('SIGINT')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('llms.txt lists them') })
  expect(err).toMatch(/\d\d:\d\d:\d\d database\/shop: 1 item, 1 written/)
}, 240_000)

test('polls sources without notifications; reports and survives a fault; --json prints only at the end', async () => {
  const writer = new DatabaseSync(desk.path('shop.db'))
  // Changes stay in the log beside the file while this connection is open.
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
  const process = watch('--every', '1', '--json')
  await until('the first look', () => desk.exists('llms.txt'))
  writer.exec('ALTER TABLE orders ADD COLUMN paid_at TEXT')
  await until('the changed table', shows(`${columns}/columns.md`, 'paid_at'))
  writer.exec('INSERT INTO orders (id) VALUES (1), (2), (3)')
  await until('the new rows', shows(`${columns}/how_to_use.md`, '| rows | 3 |'))
  const good = desk.read('ken.yaml')
  desk.write('ken.yaml', 'name: [')
  await new Promise((wait) => setTimeout(wait, 1_500))
  desk.write('ken.yaml', good)
  writer.exec('ALTER TABLE orders ADD COLUMN sent_at TEXT')
  await until('the next change', shows(`${columns}/columns.md`, 'sent_at'))
  writer.close()
  const { code, out, err } = await process.end('SIGTERM')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toMatchObject({
    wrote: true,
    failures: [],
    sources: [{ source: 'database/shop', listed: 1 }],
  })
}, 240_000)
