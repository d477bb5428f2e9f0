import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPokes } from '../eval/pokes/run.ts'
import { openSqliteIndex } from '../src/memory/index/sqlite/index.ts'
import { IndexDamaged } from '../src/retrieval/domain/index-damaged.ts'
import { openVectorScan } from '../src/retrieval/vectors/index.ts'
import { batchOf, question } from './contract/search-index.contract.ts'
import { KEN } from './ken-program.ts'

test('five ways to tamper with the index: each is repaired or harmless, and no answer is wrong', async () => {
  const told: string[] = []
  const { total } = await runPokes({ count: 5, seed: 8, tell: (line) => told.push(line) })
  expect(told).toEqual([])
  expect(total).toMatchObject({ times: 5, wrong: 0, failed: 0 })
  expect(total.healed).toBeGreaterThan(1)
}, 600_000)

describe('an index file', () => {
  const place = mkdtempSync(join(tmpdir(), 'ken-seals-'))
  afterAll(() => rmSync(place, { recursive: true, force: true }))
  const open = (name: string) => openSqliteIndex({ path: join(place, name), openScan: openVectorScan })

  test('is damaged if any row was changed', async () => {
    const index = open('rows.db')
    await index.write(
      batchOf([
        { path: 'a', texts: ['alpha', 'beta'] },
        { path: 'b', texts: ['alpha'] },
      ]),
    )
    await index.close()
    const sound = readFileSync(join(place, 'rows.db'))
    for (const change of [
      "UPDATE document SET title = 'other' WHERE path = 'a'",
      "UPDATE document SET modified = modified + 1 WHERE path = 'b'",
      "UPDATE place SET project_hash = 'other'",
      'UPDATE chunk SET start_line = 7',
      'UPDATE segment SET lengths = zeroblob(length(lengths))',
      'UPDATE leaf SET data = zeroblob(length(data))',
      "UPDATE leaf SET terms = 'x'",
      'DELETE FROM leaf',
      'UPDATE head SET next_chunk = next_chunk + 1',
      "DELETE FROM document WHERE path = 'b'",
      'DROP INDEX document_place',
    ]) {
      writeFileSync(join(place, 'rows.db'), sound)
      const database = new DatabaseSync(join(place, 'rows.db'))
      database.exec(change)
      database.close()
      const poked = open('rows.db')
      await expect(
        question('alpha').then((asked) => poked.search(asked)),
        change,
      ).rejects.toThrow(IndexDamaged)
      await poked.close()
    }
  })

  test('is read again if it is replaced under an open index', async () => {
    const [one, two] = [open('one.db'), open('two.db')]
    await one.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    await two.write(batchOf([{ path: 'b', texts: ['alpha'] }]))
    await two.close()
    expect((await one.search(await question('alpha'))).map(({ document }) => document.path)).toEqual(['a'])
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(place, `one.db${suffix}`), { force: true })
    writeFileSync(join(place, 'one.db'), readFileSync(join(place, 'two.db')))
    expect((await one.search(await question('alpha'))).map(({ document }) => document.path)).toEqual(['b'])
    await one.close()
  })

  test('is missing, not empty, if it is deleted under an open index', async () => {
    const index = open('gone.db')
    await index.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(place, `gone.db${suffix}`), { force: true })
    await expect(question('alpha').then((asked) => index.search(asked))).rejects.toThrow(/its file is gone/)
    await index.close()
  })

  test('is incomplete for every process during a rebuild, until it is marked complete', async () => {
    const index = open('unfinished.db')
    await index.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    await index.health.renew(new IndexDamaged('of a test'))
    const other = open('unfinished.db')
    await expect(other.health.check()).rejects.toThrow(/not complete/)
    await index.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    await index.health.finish()
    await other.health.check()
    expect(await other.search(await question('alpha'))).toHaveLength(1)
    await Promise.all([index.close(), other.close()])
  })
})

describe('a damaged index', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-heal-')))
  const home = join(place, 'home')
  const index = join(home, 'index.db')
  const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0' }
  const ken = async (...argv: string[]) => {
    const child = spawn(process.execPath, [KEN, ...argv], { cwd: place, env: environment })
    const [out, err] = [text(child.stdout), text(child.stderr)]
    const [code] = (await once(child, 'exit')) as [number]
    return { code, out: await out, err: await err }
  }
  const search = async () =>
    JSON.parse((await ken('search', 'capybara', '--limit', '60', '--json')).out) as {
      results: { path: string }[]
      notes: string[]
    }
  const garble = () => {
    for (const suffix of ['-wal', '-shm']) rmSync(`${index}${suffix}`, { force: true })
    truncateSync(index, 20_000)
  }

  beforeAll(async () => {
    mkdirSync(join(place, 'docs'))
    for (let i = 0; i < 40; i++)
      writeFileSync(join(place, 'docs', `${i}.md`), `# Page ${i}\n\nThe capybara number ${i} swims.\n`)
    expect((await ken('collection', 'add', 'docs', join(place, 'docs'))).code).toBe(0)
  }, 120_000)
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  test('is rebuilt by the search that detects the damage, which reports it and answers as before', async () => {
    const before = await search()
    expect(before.results).toHaveLength(40)
    garble()
    const after = await search()
    expect(after.results).toEqual(before.results)
    expect(after.notes[0]).toMatch(/rebuilt from the files, because/)
    expect((await search()).notes).toEqual(before.notes)
  }, 120_000)

  test('is rebuilt once when many searches find it at the same time', async () => {
    const ids = ({ results }: Awaited<ReturnType<typeof search>>) => results.map(({ path }) => path).sort()
    const before = await search()
    garble()
    const answers = await Promise.all(Array.from({ length: 4 }, search))
    // On a busy machine a search may not wait for the vectors, so scores and order may differ.
    for (const answer of answers) expect(ids(answer)).toEqual(ids(before))
    expect(
      readdirSync(home)
        .filter((name) => name.startsWith('index.'))
        .sort(),
    ).toEqual(['index.db', 'index.witness'])
  }, 240_000)

  test('is rebuilt by `ken update`, which reports it on standard error', async () => {
    garble()
    const { code, err } = await ken('update')
    expect([code, err]).toEqual([0, expect.stringContaining('rebuilt')])
  }, 120_000)

  test('that belongs to the user is moved aside, not deleted', async () => {
    rmSync(index)
    mkdirSync(index)
    writeFileSync(join(index, 'mine.txt'), 'keep me')
    expect((await search()).results).toHaveLength(40)
    expect(readFileSync(join(home, 'index.db.aside-1', 'mine.txt'), 'utf8')).toBe('keep me')
    rmSync(join(home, 'index.db.aside-1'), { recursive: true })
  }, 120_000)

  test('is rebuilt by a running server if it was deleted, truncated or replaced', async () => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [KEN, 'serve', '--stdio', '--toolsets', 'memory'],
        cwd: place,
        env: environment,
        stderr: 'pipe',
      }),
    )
    const ask = async () =>
      (await client.callTool({ name: 'memory_search', arguments: { query: 'capybara', limit: 60 } }))
        .structuredContent as { results: unknown[]; notes: string[] }
    const { results } = await ask()
    expect(results).toHaveLength(40)
    for (const harm of [
      () => rmSync(index),
      garble,
      () => writeFileSync(index, ''),
      () => writeFileSync(`${index}-wal`, 'noise'.repeat(9000)),
      () => rmSync(`${index}-shm`, { force: true }),
    ]) {
      harm()
      expect((await ask()).results, String(harm)).toEqual(results)
    }
    await client.close()
    expect(existsSync(index)).toBe(true)
  }, 240_000)

  test('a lease file with invalid content blocks no process', async () => {
    writeFileSync(join(home, '.index-lease.db'), 'noise '.repeat(2000))
    expect((await search()).results).toHaveLength(40)
  }, 120_000)
})
