import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { openMemoryIndex } from '../src/adapters/index-memory/index.ts'
import { openSqliteIndex } from '../src/adapters/index-sqlite/index.ts'
import { migrate, SCHEMA_VERSION } from '../src/adapters/index-sqlite/schema.ts'
import { openVectorScan } from '../src/adapters/vectors-wasm/index.ts'
import { batchOf, describeSearchIndex, question } from './contract/search-index.contract.ts'

const place = mkdtempSync(join(tmpdir(), 'ken-index-'))
let files = 0
const open = (path = join(place, `${++files}.db`)) => openSqliteIndex({ path, openScan: openVectorScan })
afterAll(() => rmSync(place, { recursive: true, force: true }))

describeSearchIndex('memory', openMemoryIndex)
describeSearchIndex('sqlite', () => open())

describe('the index file', () => {
  test('two connections see each other\'s changes at once', async () => {
    const [writer, reader] = [open(join(place, 'shared.db')), open(join(place, 'shared.db'))]
    expect(await reader.search(await question('alpha'))).toEqual([])
    await writer.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    expect(await reader.search(await question('alpha'))).toHaveLength(1)
    await writer.write(batchOf([{ path: 'b', texts: ['alpha'] }], [{ collection: 'docs', path: 'a' }]))
    expect((await reader.search(await question('alpha'))).map(({ document }) => document.path)).toEqual(['b'])
    await Promise.all([writer.close(), reader.close()])
  })

  test('a database of the first version gets its workspaces from the paths of its sessions', async () => {
    const path = join(place, 'old.db')
    const old = new DatabaseSync(path)
    migrate(old, path, 1)
    const insert = old.prepare("INSERT INTO document (id, collection, path, title, origin, trust, tags, modified, size, mtime, hash, first_chunk, chunks, generation) VALUES (?, 'c', ?, 't', 'session', 'learned', '[]', 0, 1, 1, 'h', 0, 0, 0)")
    insert.run(1, '/home/me/.ken/sessions/0123456789ab/2026-01-01-x.md')
    insert.run(2, '/home/me/.ken/memory/MEMORY.md')
    insert.run(3, '/home/me/sessions/notahash/x.md')
    old.close()
    const index = open(path)
    expect(new Map((await index.documents({})).map((document) => [document.id, document.workspace]))).toEqual(new Map([[1, '0123456789ab'], [2, 'global'], [3, 'global']]))
    await index.close()
  })

  test('an index whose postings stood in blocks answers as before', async () => {
    const path = join(place, 'blocks.db')
    const old = new DatabaseSync(path)
    migrate(old, path, 3)
    const numbers = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer)
    const insert = old.prepare("INSERT INTO document (id, collection, path, title, origin, trust, tags, modified, size, mtime, hash, first_chunk, chunks, generation) VALUES (?, 'c', ?, 't', 'document', 'approved', '[]', 0, 1, 1, 'h', ?, 1, 1)")
    for (const chunk of [4095, 4096]) {
      insert.run(chunk, `/p${chunk}`, chunk)
      old.prepare("INSERT INTO chunk VALUES (?, 1, 1, '')").run(chunk)
    }
    old.prepare('INSERT INTO block VALUES (?, ?)').run(0, numbers(...Array.from({ length: 4096 }, () => 1)))
    old.prepare('INSERT INTO block VALUES (?, ?)').run(1, numbers(2))
    old.prepare('INSERT INTO posting VALUES (?, ?, ?)').run(0, 'alpha', numbers(4095 | (1 << 16)))
    for (const term of ['alpha', 'beta']) old.prepare('INSERT INTO posting VALUES (?, ?, ?)').run(1, term, numbers(1 << 16))
    old.exec("UPDATE meta SET value = 4097 WHERE key = 'next_chunk'; UPDATE meta SET value = 1 WHERE key = 'generation'")
    old.close()
    const index = open(path)
    const paths = async (text: string) => (await index.search(await question(text))).map(({ document }) => document.path).sort()
    expect(await paths('alpha')).toEqual(['/p4095', '/p4096'])
    expect(await paths('beta')).toEqual(['/p4096'])
    await index.write(batchOf([{ path: 'new', texts: ['alpha'] }]))
    expect(await paths('alpha')).toEqual(['/p4095', '/p4096', 'new'])
    await index.close()
  })

  test('many small writes leave a few segments and every document', async () => {
    const path = join(place, 'small.db')
    const index = open(path)
    const word = (i: number) => [...String(i)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('o')
    for (let i = 0; i < 300; i++) await index.write(batchOf([{ path: `p${i % 250}`, texts: [`alpha ${word(i)}`, 'beta'] }]))
    const database = new DatabaseSync(path, { readOnly: true })
    expect((database.prepare('SELECT count(*) AS n FROM segment').get() as { n: number }).n).toBeLessThan(15)
    database.close()
    expect(await index.search(await question('alpha', { limit: 400 }))).toHaveLength(250)
    expect((await index.search(await question(word(299)))).map(({ document }) => document.path)).toEqual(['p49'])
    expect(await index.search(await question(word(49)))).toEqual([])
    await index.close()
  })

  test('a file of a newer Ken is left alone, and the message says what to do', () => {
    const path = join(place, 'newer.db')
    const newer = new DatabaseSync(path)
    newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    newer.close()
    expect(() => open(path)).toThrow(/newer Ken/)
  })

  test('a damaged file is made anew', async () => {
    const path = join(place, 'damaged.db')
    writeFileSync(path, 'this is no database, but long enough to be looked at as one '.repeat(40))
    const index = open(path)
    await index.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    expect(await index.search(await question('alpha'))).toHaveLength(1)
    await index.close()
  })

  test('after many changes the postings are compacted and the answers stay', async () => {
    const index = open()
    const ROUNDS = 'mike november oscar papa romeo sierra tango uniform victor whisky yankee kilo lima'.split(' ')
    const round = (n: number) => batchOf(Array.from({ length: 300 }, (_, i) => ({ path: `p${i}`, texts: Array.from({ length: 10 }, (_, c) => `alpha${i} beta ${ROUNDS[n]} c${c}`) })))
    for (let n = 0; n < 13; n++) await index.write(round(n))
    expect(await index.status()).toMatchObject({ documents: 300, chunks: 3000 })
    expect(await index.search(await question('kilo', { limit: 400 }))).toEqual([])
    expect(await index.search(await question('lima', { limit: 400 }))).toHaveLength(300)
    const [hit] = await index.search(await question('alpha7 c3'))
    expect(hit).toMatchObject({ document: { path: 'p7' }, chunk: { startLine: 4 } })
    await index.close()
  })
})
