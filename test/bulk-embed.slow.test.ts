import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

// More than one batch for each of two threads.
const PAGES = 100
let place: string
let environment: Record<string, string | undefined>

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'ken-bulk-embed-'))
  environment = { ...process.env, HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }
  mkdirSync(join(place, 'pages'))
  for (let i = 0; i < PAGES; i++) writeFileSync(join(place, 'pages', `${i}.md`), page(i))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const page = (i: number) =>
  `# Page ${i}\n\n${Array.from({ length: 700 }, (_, line) => `Résumé ${line} of userName${i}: the kitten ${i * line} sleeps on the user agent.`).join('\n')}\n`

function ken(words: readonly string[], more: Record<string, string> = {}): Record<string, unknown> {
  const options = { cwd: place, env: { ...environment, ...more }, encoding: 'utf8' } as const
  return JSON.parse(execFileSync(process.execPath, [KEN, ...words, '--json'], options)) as Record<string, unknown>
}

function inIndex(sql: string): unknown[] {
  const database = new DatabaseSync(join(place, 'home', 'index.db'), { readOnly: true, timeout: 15_000 })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

const vectors = () =>
  inIndex(
    'SELECT path, chunk - first_chunk AS at, scale, hex(data) AS data FROM vector JOIN document ON chunk >= first_chunk AND chunk < first_chunk + chunks ORDER BY path, at',
  )
const bare = () => inIndex('SELECT id FROM chunk WHERE NOT EXISTS (SELECT 1 FROM vector WHERE chunk = id)')

test('vectors created by threads along with the words equal vectors created later, and vectors created by one thread', () => {
  expect(ken(['collection', 'add', 'pages', join(place, 'pages')])).toMatchObject({ added: PAGES })
  expect(bare()).toEqual([])
  const along = vectors()
  expect(along.length).toBeGreaterThan(PAGES)
  expect(ken(['embed', '--again'])).toMatchObject({ embedded: along.length })
  expect(vectors()).toEqual(along)
  for (let i = 10; i < PAGES; i++) rmSync(join(place, 'pages', `${i}.md`))
  rmSync(join(place, 'home'), { recursive: true })
  ken(['collection', 'add', 'pages', join(place, 'pages')])
  const few = new Set(vectors().map((row) => JSON.stringify(row)))
  const before = along.map((row) => JSON.stringify(row)).filter((row) => few.has(row))
  expect(few.size).toBeGreaterThan(10)
  expect(before).toHaveLength(few.size)
})

test('a process killed half way leaves words with their vectors, and the next update does the rest', async () => {
  const child = spawn(process.execPath, [KEN, 'collection', 'add', 'pages', join(place, 'pages')], {
    cwd: place,
    env: environment,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  while (!existsSync(join(place, 'home', 'index.witness')) && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  await ended
  expect(bare()).toEqual([])
  const { added, embedded } = ken(['update']) as { added: number; embedded: number }
  expect(added).toBeLessThan(PAGES)
  expect(embedded).toBeGreaterThanOrEqual(added)
  expect(bare()).toEqual([])
  expect(ken(['memory-status'])).toMatchObject({ documents: PAGES, vectors_pending: 0 })
})

test('if a process is killed while making vectors later, the next update completes them', async () => {
  ken(['collection', 'add', 'pages', join(place, 'pages')], { KEN_EMBEDDINGS: '0' })
  const all = bare().length
  const child = spawn(process.execPath, [KEN, 'embed'], { cwd: place, env: environment, stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (bare().length === all && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  await ended
  const left = bare().length
  expect(ken(['embed'])).toMatchObject({ embedded: left })
  expect(bare()).toEqual([])
})
