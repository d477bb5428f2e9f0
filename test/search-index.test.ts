import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { openSqliteIndex } from '../src/memory/index/sqlite/index.ts'
import { SCHEMA_VERSION } from '../src/memory/index/sqlite/schema.ts'
import { openIndexSpace } from '../src/memory/index/sqlite/space.ts'
import { openVectorScan } from '../src/retrieval/vectors/index.ts'
import { batchOf, describeSearchIndex, embedAll, question } from './contract/search-index.contract.ts'

const place = mkdtempSync(join(tmpdir(), 'ken-index-'))
let files = 0
const open = (path = join(place, `${++files}.db`)) => openSqliteIndex({ path, openScan: openVectorScan })
afterAll(() => rmSync(place, { recursive: true, force: true }))

describeSearchIndex('sqlite', () => open())

describe('the index file', () => {
  test('two connections immediately see each other’s changes', async () => {
    const [writer, reader] = [open(join(place, 'shared.db')), open(join(place, 'shared.db'))]
    expect(await reader.search(await question('alpha'))).toEqual([])
    await writer.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    expect(await reader.search(await question('alpha'))).toHaveLength(1)
    await writer.write(batchOf([{ path: 'b', texts: ['alpha'] }], [{ collection: 'docs', path: 'a' }]))
    expect((await reader.search(await question('alpha'))).map(({ document }) => document.path)).toEqual(['b'])
    await Promise.all([writer.close(), reader.close()])
  })

  test('many small writes leave a few segments and keep every document', async () => {
    const path = join(place, 'small.db')
    const index = open(path)
    const word = (i: number) => [...String(i)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('o')
    for (let i = 0; i < 300; i++)
      await index.write(batchOf([{ path: `p${i % 250}`, texts: [`alpha ${word(i)}`, 'beta'] }]))
    const database = new DatabaseSync(path, { readOnly: true })
    expect((database.prepare('SELECT count(*) AS n FROM segment').get() as { n: number }).n).toBeLessThan(15)
    database.close()
    expect(await index.search(await question('alpha', { limit: 400 }))).toHaveLength(250)
    expect((await index.search(await question(word(299)))).map(({ document }) => document.path)).toEqual(['p49'])
    expect(await index.search(await question(word(49)))).toEqual([])
    await index.close()
  })

  test('a file from a newer Ken is not changed, and the message names the next step', async () => {
    const path = join(place, 'newer.db')
    const newer = new DatabaseSync(path)
    newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    newer.close()
    await expect(open(path).status()).rejects.toThrow(/newer Ken/)
  })

  test('after many changes the postings are compacted and the results stay the same', async () => {
    const path = join(place, 'many-changes.db')
    const index = open(path)
    const ROUNDS = 'mike november oscar papa romeo sierra tango uniform victor whisky yankee kilo lima'.split(' ')
    const round = (n: number) =>
      batchOf(
        Array.from({ length: 300 }, (_, i) => ({
          path: `p${i}`,
          texts: Array.from({ length: 10 }, (_, c) => `alpha${i} beta ${ROUNDS[n]} c${c}`),
        })),
      )
    for (let n = 0; n < 13; n++) await index.write(round(n))
    expect(await index.status()).toMatchObject({ documents: 300, chunks: 3000 })
    expect(await index.search(await question('kilo', { limit: 400 }))).toEqual([])
    expect(await index.search(await question('lima', { limit: 400 }))).toHaveLength(300)
    const [hit] = await index.search(await question('alpha7 c3'))
    expect(hit).toMatchObject({ document: { path: 'p7' }, chunk: { startLine: 4 } })
    await index.close()
    const database = new DatabaseSync(path, { readOnly: true })
    // 39,000 chunks were written in all.
    expect(database.prepare('SELECT next_chunk FROM head').get()!['next_chunk']).toBeLessThan(20_000)
    database.close()
  })

  test('vectors computed while chunks were renumbered are dropped', async () => {
    const path = join(place, 'under-way.db')
    const index = open(path)
    await index.write(
      batchOf([
        { path: 'a', texts: ['kafka'] },
        { path: 'b', texts: ['redis', 'postgres'] },
      ]),
    )
    const pending = (await index.unembedded('words-1', 10)).toSorted((a, b) => a.id - b.id)
    await index.write(batchOf([], [{ collection: 'docs', path: 'a' }]))
    await openIndexSpace(path).reclaim()
    const vector = { bytes: new Int8Array(8).fill(1), scale: 1 }
    await index.storeVectors(
      'words-1',
      pending.map(({ id, epoch }) => ({ chunk: id, epoch, vector })),
    )
    expect((await index.status()).vectors).toEqual({})
    expect(await index.unembedded('words-1', 10)).toHaveLength(2)
    await index.close()
  })

  test('after compaction every vector still belongs to its text', async () => {
    const path = join(place, 'moved.db')
    const index = open(path)
    const samples = [
      { path: 'a', texts: ['kafka', 'login'] },
      { path: 'b', texts: ['nothing', 'redis'] },
      { path: 'c', texts: ['postgres'] },
    ]
    await index.write(batchOf(samples))
    await embedAll(index, samples)
    await index.write(batchOf([], [{ collection: 'docs', path: 'a' }]))
    const nearest = async (from: typeof index, text: string) =>
      (await from.search(await question(text, { by: 'meaning' }))).map(
        ({ document, chunk }) => `${document.path}${chunk.startLine}`,
      )
    expect(await nearest(index, 'memcached')).toEqual(['b2'])
    await openIndexSpace(path).reclaim()
    for (const reader of [index, open(path)]) {
      expect(await nearest(reader, 'memcached')).toEqual(['b2'])
      expect(await nearest(reader, 'mysql')).toEqual(['c1'])
      expect(await nearest(reader, 'rabbitmq')).toEqual([])
      expect(await reader.unembedded('words-1', 10)).toEqual([])
      expect((await reader.status()).vectors).toEqual({ 'words-1': 3 })
      await reader.close()
    }
  })
})
