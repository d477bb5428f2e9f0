import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEmbedder } from '../../../../test/contract/embedder.contract.ts'
import { countNearest, PARAPHRASES } from '../../../../test/contract/paraphrases.ts'
import { COVERAGE_WEIGHT } from '../../domain/ranking/hybrid-search.ts'
import { openStaticEmbedder } from './index.ts'
import { splitName, wordsOf } from './words.ts'

const bundled = fileURLToPath(new URL('../../../../models/static-256/model.bin', import.meta.url))

describeEmbedder('static, bundled model', { open: async () => openStaticEmbedder(bundled) })

describe('the bundled model', () => {
  test('is small enough for a package of 15 MB', () => {
    expect(statSync(bundled).size).toBeLessThan(14_300_000)
  })

  test('makes the same vectors for many texts as for a few', async () => {
    const texts = ['We deploy from the main branch.', 'parseHTTPRequest in src/server.ts', '消息队列 and a queue', '']
    const [few, many] = [openStaticEmbedder(bundled), openStaticEmbedder(bundled, { forMany: true })]
    expect(await many.embed(texts, 'document')).toEqual(await few.embed(texts, 'document'))
    await Promise.all([few.close(), many.close()])
  })

  test('finds decisions that share no word with the question', async () => {
    const cases = [
      ...PARAPHRASES,
      ['We deploy from the main branch every day.', 'how often does a new release ship to production'],
      ['The web app is written in React with TypeScript.', 'which frontend framework was picked'],
    ] as const
    expect(await countNearest(openStaticEmbedder(bundled), cases)).toBeGreaterThanOrEqual(6)
  })
})

describe('words', () => {
  test('drops accents, splits at punctuation, keeps ideographs separate', () => {
    expect(wordsOf('Résumé of user_name: 2nd try — naïve!')).toEqual([
      'Resume',
      'of',
      'user',
      'name',
      '2nd',
      'try',
      'naive',
    ])
    expect(wordsOf('数据x')).toEqual(['数', '据', 'x'])
    expect(wordsOf('…')).toEqual([])
  })

  test('names are split where the case or the kind of letter changes', () => {
    expect(splitName('parseHTTPRequest2')).toEqual(['parse', 'http', 'request', '2'])
    expect(splitName('word')).toEqual(['word'])
  })

  test('a lone surrogate is not a letter and does not affect other letters', () => {
    expect(wordsOf('\ud800 a')).toEqual(['a'])
    expect(wordsOf('𐌀 a')).toEqual(['𐌀', 'a'])
  })

  test('equal those found by the patterns that the model was trained with', () => {
    const beyond = /(?:(?!\p{Script=Han})[\p{L}\p{N}])+|\p{Script=Han}/gu
    const patterns = (text: string) =>
      text
        .normalize('NFD')
        .replaceAll(/\p{Mn}/gu, '')
        .match(beyond) ?? []
    const letters = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'aZ9 _é—数〇𠀀𝒳각\u0301\u3099\ud800'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    })
    fc.assert(fc.property(letters, (text) => void expect(wordsOf(text)).toEqual(patterns(text))))
  })
})

describe('a small model', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ken-static-'))
  const path = join(folder, 'model.bin')
  // One direction per entry, so a vector shows which entries were used and how much.
  const entries = ['  user agent', ' kubernetes', '##net', '##s', 'kuber', 'name', 'user', 'z']
  const embed = async (text: string, purpose: 'query' | 'document' = 'document', weigh?: (word: string) => number) => {
    const embedder = openStaticEmbedder(path)
    const [vector] = (await embedder.embed([text], purpose, weigh)) as [Float32Array]
    await embedder.close()
    const largest = Math.max(...vector) || 1
    return Object.fromEntries(
      entries.flatMap((entry, i) =>
        vector[i] === 0 ? [] : [[entry, Math.round((10 * (vector[i] as number)) / largest)]],
      ),
    )
  }

  beforeAll(() => writeFileSync(path, modelBytes(entries)))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('a whole word wins over its pieces and never matches the beginning of a longer word', async () => {
    expect(await embed('Kubernetes')).toEqual({ ' kubernetes': 10 })
    expect(await embed('kubernets')).toEqual({ kuber: 10, '##net': 10, '##s': 10 })
  })

  test('a phrase of the vocabulary is one entry, and the longest phrase wins', async () => {
    expect(await embed('User-agent name')).toEqual({ '  user agent': 10, name: 10 })
    expect(await embed('user name agent')).toEqual({ user: 10, name: 10 })
  })

  test('a query weighs a phrase by its rarest word', async () => {
    const weigh = (word: string) => (word === 'user' ? 0.2 : 0.5)
    expect(await embed('user agent name', 'query', weigh)).toEqual({ '  user agent': 10, name: 10 })
  })

  test('a name that is not a word is split into its parts', async () => {
    expect(await embed('userName user_name USERName')).toEqual({ user: 10, name: 10 })
  })

  test('a word with an unknown piece adds nothing to the vector', async () => {
    expect(await embed('kuberq пользователь 日 user')).toEqual({ user: 10 })
  })

  test('a query weighs words by the lower-cased surface word; a document does not', async () => {
    const weigh = (word: string) => (word === 'user' ? 0.5 : 1)
    expect(await embed('User name', 'query', weigh)).toEqual({ user: 5, name: 10 })
    expect(await embed('User name', 'document', weigh)).toEqual({ user: 10, name: 10 })
  })

  test('rows read one by one equal rows read all at once', async () => {
    const embedder = openStaticEmbedder(path)
    const first = await embedder.embed(['user user name z'], 'document')
    await embedder.embed(
      Array.from({ length: 400 }, () => 'user name'),
      'document',
    )
    expect(await embedder.embed(['user user name z'], 'document')).toEqual(first)
    await embedder.close()
  })

  test('the word cache does not change results, regardless of the number and length of the words', async () => {
    const embedder = openStaticEmbedder(path)
    const texts = ['user name', 'userName kubernets', 'User agent z']
    const first = await embedder.embed(texts, 'document')
    const long = 'abcDEF9'.repeat(3000)
    for (let at = 0; at < 150_000; at += 5000)
      await embedder.embed(
        [Array.from({ length: 5000 }, (_, i) => `u${(at + i).toString(36)}`).join(' '), long],
        'document',
      )
    expect(await embedder.embed(texts, 'document')).toEqual(first)
    await embedder.close()
  })

  test('once closed, it reads no other file that was given the number of the model file', async () => {
    const embedder = openStaticEmbedder(path)
    await embedder.embed(['user'], 'document')
    await embedder.close()
    const other = openSync(path, 'r')
    await expect(embedder.embed(['name'], 'document')).rejects.toMatchObject({ code: 'unavailable' })
    await embedder.close()
    expect(readSync(other, new Uint8Array(8), 0, 8, 0)).toBe(8)
    closeSync(other)
  })

  test('the header contains the model name and its calibration', async () => {
    const embedder = openStaticEmbedder(path)
    expect([embedder.id, embedder.dimensions, embedder.calibration]).toMatchObject([
      'tiny-1',
      entries.length,
      { beta: 1, noise: 0.25, strong: 0.5, weight: COVERAGE_WEIGHT },
    ])
    await embedder.close()
  })

  test('rejects a missing, foreign or truncated file with a clear error', async () => {
    expect(() => openStaticEmbedder(join(folder, 'none.bin'))).toThrow(expect.objectContaining({ code: 'unavailable' }))
    const other = join(folder, 'other.bin')
    writeFileSync(other, 'x'.repeat(100))
    expect(() => openStaticEmbedder(other)).toThrow(expect.objectContaining({ code: 'damaged' }))
    writeFileSync(other, modelBytes(entries))
    truncateSync(other, modelBytes(entries).length - 3)
    await expect(openStaticEmbedder(other).embed(['z'], 'document')).rejects.toMatchObject({ code: 'damaged' })
  })
})

function modelBytes(entries: readonly string[]): Buffer {
  const header = Buffer.alloc(64)
  header.write('KENVEC01')
  header.writeUInt32LE(entries.length, 8)
  header.writeUInt32LE(entries.length, 12)
  header.writeUInt32LE(entries.join('').length, 16)
  for (const [i, value] of [1, 0.25, 0.5].entries()) header.writeFloatLE(value, 20 + 4 * i)
  header.write('tiny-1', 32)
  let end = 0
  const ends = Uint32Array.from(entries, (entry) => (end += entry.length))
  const rows = Int8Array.from({ length: entries.length ** 2 }, (_, i) => (i % (entries.length + 1) === 0 ? 100 : 0))
  const scales = new Float32Array(entries.length).fill(0.01)
  return Buffer.concat([
    header,
    Buffer.from(ends.buffer),
    Buffer.from(entries.join('')),
    Buffer.from(scales.buffer),
    Buffer.from(rows.buffer),
  ])
}
