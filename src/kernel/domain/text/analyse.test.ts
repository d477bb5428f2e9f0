import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyse, analyseQuery, FTS5_TOKENIZER, scoringTokens } from './analyse.ts'

const tokens = (text: string) => analyse(text).join(' ')

test.each([
  ['The decisions were cached.', 'the decis were cach'],
  ['getUserName', 'get user name getusernam'],
  ['HTTPServer', 'http server httpserver'],
  ['URLs and IDs', 'url and id'],
  ['user_name', 'user name usernam'],
  ['rate-limit', 'rate limit ratelimit'],
  ['sha256', 'sha 256 sha256'],
  ['v2', 'v2'],
  ['MAX_RETRY_COUNT', 'max retri count maxretrycount'],
  ['Node.js', 'node js node.js'],
  ['std::vector', 'std vector std::vector'],
  ['src/core/userName.ts', 'src core user name usernam ts username.ts src/core/username.ts'],
  ['src\\core', 'src core src/core'],
  ['https://example.com/docs?page=3', 'https exampl com doc example.com/docs page 3'],
])('%j becomes %j', (text, expected) => {
  expect(tokens(text)).toBe(expected)
})

test('keeps one-letter names and languages with symbols, drops variables and contractions', () => {
  expect(tokens('C, R, C++, C# and F# or plan B')).toBe('c r c++ c# and f# or plan b')
  expect(tokens("int x = 0; x++; it's I")).toBe('int 0 it')
})

test('a text may have any number of tokens', () => {
  const numbers = Array.from({ length: 70_000 }, (_, i) => `n${i}`)
  expect(analyse(numbers.join(' ')).filter((token) => /^n\d+$/.test(token))).toEqual(numbers)
})

test('folds width, case, accents and ligatures', () => {
  expect(tokens('Café ＡＰＩ Größe Œuvre NAÏVE')).toBe(tokens('cafe api grosse oeuvre naive'))
  expect(tokens('e\u0301te\u0301')).toBe(tokens('été'))
})

test('stems words by their script, and those in Latin letters as English', () => {
  expect(tokens('решения entscheidungen')).toBe('решен entscheidungen')
})

test('splits text without spaces into pairs of characters, and keeps lone and Chinese characters as tokens', () => {
  expect(tokens('データベース')).toBe('デー ータ タベ ベー ース')
  expect(tokens('使用Redis缓存。猫')).toBe('使 用 使用 redi 缓 存 缓存 猫')
  expect(tokens('데이터')).toBe('데이 이터')
  expect(tokens('ガ')).toBe('ガ')
  expect(analyseQuery('缓存').map(({ term }) => term)).toEqual(['缓存'])
})

test('spellings of one identifier share a token', () => {
  const shared = ['userName', 'UserName', 'user_name', 'user-name', 'USER_NAME', 'username'].map(
    (name) => new Set(analyse(name)),
  )
  for (const set of shared) expect(set).toContain('usernam')
})

test('hashes and base64 stay one token instead of flooding the index', () => {
  expect(analyse('d2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26')).toHaveLength(1)
  const blob = 'aGVsbG8gd29ybGQgZm9vYmFyIGJheg'.repeat(1000)
  expect(analyse(blob)).toHaveLength(1)
  expect(analyse(blob)).toEqual(analyseQuery(blob).map(({ term }) => term))
})

test('analyses hostile text in linear time', () => {
  expect(analyse('漢'.repeat(300_000))).toHaveLength(599_999)
  expect(analyse(`aa/${'_-'.repeat(100_000)}/${'bb.'.repeat(100_000)}cc`)).toHaveLength(100_002)
  expect(analyse('Ab'.repeat(200_000))).toHaveLength(1)
})

test('a question keeps only its search words', () => {
  const words = analyseQuery('What did we decide about the rate-limit in getUserName, and why C++?')
  expect(words).toEqual([
    { word: 'decide', term: 'decid', parts: [] },
    { word: 'rate-limit', term: 'ratelimit', parts: ['rate', 'limit'] },
    { word: 'getUserName', term: 'getusernam', parts: ['get', 'user', 'name'] },
    { word: 'C++', term: 'c++', parts: [] },
  ])
})

test('a query of only filler words keeps them', () => {
  expect(analyseQuery('to be or not to be').map(({ term }) => term)).toEqual(['to', 'be', 'or', 'not'])
  expect(analyseQuery(' … ')).toEqual([])
})

test('a compound missing in the index is scored by its parts', () => {
  const query = analyseQuery('rate-limit rate')
  expect(scoringTokens(query, () => false)).toEqual(['rate', 'limit'])
  expect(scoringTokens(query, () => true)).toEqual(['ratelimit', 'rate', 'limit'])
})

const snippet = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'getUserName',
    'src/x.ts',
    'a-b',
    'C++',
    'naïve',
    '缓存',
    '__init__',
    'v2.0',
    'it’s',
    'İstanbul',
    '１２',
    '😀',
    '\0',
    '"',
    "'",
    'a.b\u00a0c.d',
    'a.b（c）.d',
    'x…y.z',
    'a/_-_',
    'a/-b/c.d-e',
  ),
)
const text = fc
  .array(snippet, { maxLength: 12 })
  .map((parts) => parts.join(' '))
  .map((whole) => whole.toWellFormed())

test('FTS5 keeps every token unchanged', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(body, content='', tokenize="${FTS5_TOKENIZER}");
    CREATE VIRTUAL TABLE seen USING fts5vocab(t, 'instance')`)
  const insert = db.prepare('INSERT INTO t(rowid, body) VALUES (?, ?)')
  const read = db.prepare('SELECT term FROM seen WHERE doc = ? ORDER BY offset')
  let row = 0
  fc.assert(
    fc.property(text, (sample) => {
      const expected = analyse(sample)
      insert.run(++row, expected.join(' '))
      expect(read.all(row).map(({ term }) => term)).toEqual(expected)
    }),
  )
  db.close()
})

test('a document contains every term of a query with the same text', () => {
  fc.assert(
    fc.property(text, (sample) => {
      const stored = new Set(analyse(sample))
      for (const { term, parts } of analyseQuery(sample)) {
        if (!/^[a-z]$/.test(term)) expect(stored).toContain(term)
        for (const part of parts) expect(stored).toContain(part)
      }
    }),
  )
})
