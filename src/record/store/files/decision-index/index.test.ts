import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { decisionFile } from '../../../../../test/contract/decision-text.ts'
import { wordEmbedder } from '../../../../../test/contract/word-embedder.ts'
import { titles, useFileRecord, write } from '../../../../../test/file-record.ts'
import type { Store } from '../../../ports/store.ts'

const { at, home, open, put } = useFileRecord()

describe('the cache', () => {
  const cacheFile = () =>
    join(
      home(),
      'cache',
      readdirSync(join(home(), 'cache')).find((name) => name.endsWith('.db'))!,
    )

  test('prevents this process and the next from reading an unchanged file again', async () => {
    const [path, text] = decisionFile(1, 'Original title')
    const putDated = (words: string) => {
      put({ [path]: words })
      utimesSync(at(path), 1_700_000_000, 1_700_000_000)
    }
    putDated(text)
    const first = await open()
    expect(await titles(first)).toEqual(['Original title'])
    // Same size, time and inode, different words: only reading could detect it.
    putDated(text.replaceAll('Original title', 'Differenttitle'))
    expect(await titles(first)).toEqual(['Original title'])
    expect(await titles(await open())).toEqual(['Original title'])
  })

  test.each([
    ['is deleted', () => rmSync(join(home(), 'cache'), { recursive: true })],
    ['is garbage', () => writeFileSync(cacheFile(), 'garbage '.repeat(2000))],
    ['is cut off', () => truncateSync(cacheFile(), 5000)],
    ['is of another version', () => writeFileSync(cacheFile(), emptyDatabase(99))],
  ])('is rebuilt when it %s', async (_how, harm) => {
    const first = await open()
    await write(
      first,
      Object.fromEntries([decisionFile(1, 'Cache in Redis'), decisionFile(2, 'Queue in Kafka')]),
      'one',
    )
    const before = await first.rank({ text: 'redis', limit: 5, among: 'active', check: true })
    await first.close()
    harm()
    for (const leftover of ['-wal', '-shm'])
      if (existsSync(join(home(), 'cache'))) rmSync(cacheFile() + leftover, { force: true })
    const second = await open()
    expect(await second.rank({ text: 'redis', limit: 5, among: 'active', check: true })).toEqual(before)
    await write(second, Object.fromEntries([decisionFile(3, 'Three')]), 'two')
    expect(Object.keys((await second.snapshots.read(2))!.files)).toHaveLength(3)
  })

  test('returns the same results after any of its bytes was changed', async () => {
    const first = await open()
    await write(
      first,
      Object.fromEntries([
        decisionFile(1, 'Cache in Redis'),
        decisionFile(2, 'Queue in Kafka'),
        decisionFile(3, 'Cache in files'),
      ]),
      'one',
    )
    const ask = { text: 'cache redis kafka', limit: 5, among: 'active', check: false } as const
    const [before, { decisions }] = [await first.rank(ask), await first.catalogue()]
    await first.close()
    const sound = readFileSync(cacheFile())
    const seal = readFileSync(`${cacheFile()}.seal`)
    for (const word of ['Redis', 'redi', 'Kafka', 'kafka', 'active', '001-']) {
      const damaged = Buffer.from(sound)
      for (let at = damaged.indexOf(word); at >= 0; at = damaged.indexOf(word, at + 1)) damaged[at]! ^= 4
      expect(damaged.equals(sound), word).toBe(false)
      writeFileSync(cacheFile(), damaged)
      writeFileSync(`${cacheFile()}.seal`, seal)
      const next = await open()
      expect(await next.rank(ask), word).toEqual(before)
      expect((await next.catalogue()).decisions, word).toEqual(decisions)
      await next.close()
    }
  })

  test('is rebuilt silently if it is damaged under a running process', async () => {
    const store = await open()
    await write(store, Object.fromEntries([decisionFile(1, 'Cache in Redis')]), 'one')
    writeFileSync(cacheFile(), 'garbage '.repeat(4000))
    rmSync(`${cacheFile()}-wal`, { force: true })
    await write(store, Object.fromEntries([decisionFile(2, 'Queue in Kafka')]), 'two')
    const { hits } = await store.rank({ text: 'redis kafka', limit: 5, among: 'active', check: true })
    expect(hits.map((hit) => hit.entry.num).toSorted()).toEqual([1, 2])
    expect(Object.keys((await store.snapshots.read(2))!.files)).toHaveLength(2)
  })

  describe('a fault that only a query detects', () => {
    const ask = { text: 'redis kafka', limit: 5, among: 'active', check: true } as const
    const numbersOf = async (store: Store) => (await store.rank(ask)).hits.map((hit) => hit.entry.num).toSorted()
    /** Drops a table under the store: damage that SQLite detects only when it reads the table. */
    function lose(table: string): void {
      const other = new DatabaseSync(cacheFile())
      other.exec(`DROP TABLE ${table}`)
      other.close()
    }

    test('a ranking rebuilds the cache', async () => {
      const store = await open()
      await write(store, Object.fromEntries([decisionFile(1, 'Cache in Redis')]))
      await store.catalogue()
      lose('postings')
      expect(await numbersOf(store)).toEqual([1])
    })

    test('listing the decisions rebuilds the cache', async () => {
      const store = await open()
      await write(store, Object.fromEntries([decisionFile(1, 'Cache in Redis')]))
      expect(await titles(store)).toEqual(['Cache in Redis'])
      lose('files')
      put(Object.fromEntries([decisionFile(2, 'Queue in Kafka')]))
      expect(await titles(store)).toEqual(['Cache in Redis', 'Queue in Kafka'])
      expect(await numbersOf(store)).toEqual([1, 2])
    })

    test('a change rebuilds the cache, and the snapshot of the change is complete', async () => {
      const store = await open()
      await write(store, Object.fromEntries([decisionFile(1, 'Cache in Redis')]), 'one')
      lose('captured')
      await write(store, Object.fromEntries([decisionFile(2, 'Queue in Kafka')]), 'two')
      expect(Object.keys((await store.snapshots.read(2))!.files)).toHaveLength(2)
      expect(await numbersOf(store)).toEqual([1, 2])
    })
  })

  test('keeps the relevance line of the record until a decision changes, including for the next process', async () => {
    const outcomes = (calls: readonly string[]) => calls.filter((call) => call === 'query: We keep hot reads in Redis.')
    const ask = { text: 'caching', limit: 5, among: 'active', check: true } as const
    const files = Object.fromEntries([
      decisionFile(1, 'Cache in Redis', { rationale: 'We keep hot reads in Redis.' }),
      decisionFile(2, 'Queue in Kafka', { rationale: 'We put messages into Kafka.' }),
    ])
    const calls: string[] = []
    const first = await open({ embedder: async () => wordEmbedder(calls) })
    await write(first, files)
    await first.rank(ask)
    await first.rank(ask)
    expect(outcomes(calls)).toHaveLength(1)
    await first.close()

    const later: string[] = []
    const next = await open({ embedder: async () => wordEmbedder(later) })
    await next.rank(ask)
    expect(outcomes(later)).toEqual([])
    await write(next, Object.fromEntries([decisionFile(3, 'Cache in files', { rationale: 'We keep pages in files.' })]))
    await next.rank(ask)
    expect(outcomes(later)).toHaveLength(1)
  })

  test('is replaced on disk if it contains garbage although it appears to be in use', async () => {
    const first = await open()
    await write(first, Object.fromEntries([decisionFile(1, 'Cache in Redis')]))
    await first.close()
    writeFileSync(cacheFile(), 'garbage '.repeat(2000))
    writeFileSync(`${cacheFile()}-wal`, '')
    const second = await open()
    expect(await titles(second)).toEqual(['Cache in Redis'])
    await second.close()
    expect(readFileSync(cacheFile()).subarray(0, 15).toString()).toBe('SQLite format 3')
  })

  test('is rebuilt, not sealed, if a process died with the cache open', async () => {
    const first = await open()
    await write(first, Object.fromEntries([decisionFile(1, 'Cache in Redis')]))
    const copy = join(home(), 'copied')
    cpSync(join(home(), 'cache'), copy, { recursive: true })
    expect(readdirSync(copy).filter((name) => name.endsWith('-wal'))).toHaveLength(1)
    const second = await open({ cacheDir: copy })
    expect(await titles(second)).toEqual(['Cache in Redis'])
    await second.close()
    expect(readdirSync(copy).filter((name) => name.endsWith('.seal'))).toEqual([])
  })

  test('is kept in memory if it cannot be stored', async () => {
    writeFileSync(join(home(), 'not-a-folder'), '')
    put(Object.fromEntries([decisionFile(1, 'One')]))
    expect(await titles(await open({ cacheDir: join(home(), 'not-a-folder', 'cache') }))).toEqual(['One'])
  })

  test('two processes on one record see each other’s changes through the cache and the files', async () => {
    const [one, two] = [await open(), await open()]
    await write(one, Object.fromEntries([decisionFile(1, 'Cache in Redis')]))
    expect(await titles(two)).toEqual(['Cache in Redis'])
    await write(
      two,
      Object.fromEntries([
        decisionFile(2, 'Cache in files'),
        decisionFile(1, 'Cache in Redis', { rationale: 'Other words: cache cache.' }),
      ]),
    )
    const ask = { text: 'cache words', limit: 5, among: 'active', check: false } as const
    expect(await one.rank(ask)).toEqual(await two.rank(ask))
    expect(await (await open({ cacheDir: join(home(), 'other-cache') })).rank(ask)).toEqual(await two.rank(ask))
  })

  test('vectors persist across processes', async () => {
    const calls: string[] = []
    put(Object.fromEntries([decisionFile(1, 'Redis for hot reads'), decisionFile(2, 'Kafka between services')]))
    const ask = { text: 'caching', limit: 5, among: 'active', check: false } as const
    const first = await open({ embedder: async () => wordEmbedder(calls) })
    const before = await first.rank(ask)
    calls.length = 0
    expect(await (await open({ embedder: async () => wordEmbedder(calls) })).rank(ask)).toEqual(before)
    expect(calls).toEqual(['query: caching'])
  })
})

function emptyDatabase(version: number): Buffer {
  const path = join(home(), `empty-${version}.db`)
  execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `import { DatabaseSync } from 'node:sqlite'; new DatabaseSync(process.argv[1]).exec('CREATE TABLE t (x); PRAGMA user_version = ${version}')`,
    path,
  ])
  return readFileSync(path)
}
