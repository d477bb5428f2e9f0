import { expect, test } from 'vitest'
import type { QueryTerm } from '../../../kernel/domain/text/analyse.ts'
import { indexTokens } from './bm25.ts'
import { coverDocuments, scoreChunks, type ChunkCorpus } from './score-chunks.ts'

function corpusOf(...chunks: readonly string[]): ChunkCorpus {
  const tokens = chunks.map((chunk) => chunk.split(' '))
  const { postings, ...corpus } = indexTokens(tokens)
  const none = { docs: new Uint32Array(), counts: new Uint32Array() }
  return {
    ...corpus,
    lengths: Uint32Array.from(tokens, ({ length }) => length),
    postings: (term) => postings(term) ?? none,
  }
}

const words = (...terms: readonly string[]): QueryTerm[] => terms.map((term) => ({ word: term, term, parts: [] }))
const coverage = (query: readonly QueryTerm[], corpus: ChunkCorpus): readonly number[] =>
  Array.from(scoreChunks(query, corpus).coverage, (part) => Math.round(part * 1000) / 1000)

// Coverage of a one-word query by one occurrence in a chunk of average length: 1 / (1 + K1).
const ONCE = 0.526

test('one word covers the same share of a query in every chunk, whether rare or common', () => {
  const corpus = corpusOf('apple all', 'pear all', 'plum all', 'fig all')
  expect(coverage(words('apple'), corpus)).toEqual([ONCE, 0, 0, 0])
  expect(coverage(words('fig'), corpus)).toEqual([0, 0, 0, ONCE])
  expect(coverage(words('all'), corpus)).toEqual([ONCE, ONCE, ONCE, ONCE])
})

test('a word in no chunk still counts in the total weight, and a rare word weighs more', () => {
  const corpus = corpusOf('apple all', 'pear all', 'plum all')
  const [both, one] = coverage(words('apple', 'all'), corpus)
  expect(both).toBe(ONCE)
  expect(one).toBeLessThan(ONCE / 4)
  expect(coverage(words('apple', 'quince'), corpus)[0]).toBeLessThan(ONCE / 2)
  expect(coverage(words('quince'), corpus)).toEqual([0, 0, 0])
  expect(coverage([], corpus)).toEqual([0, 0, 0])
})

test('a longer chunk is covered less by the same word', () => {
  const [short, long] = coverage(words('apple'), corpusOf('apple', 'apple pear plum fig'))
  expect(short).toBeGreaterThan(long!)
})

test('a compound is matched as one word or by all of its parts', () => {
  const corpus = corpusOf('user name username', 'user name', 'user', 'username')
  const query = [{ word: 'userName', term: 'username', parts: ['user', 'name'] }, ...words('user')]
  expect([...scoreChunks(query, corpus).matched]).toEqual([2, 2, 1, 1])
})

test('a document is covered by its chunks together', () => {
  const corpus = corpusOf('apple all', 'pear all', 'plum all', 'fig all')
  const rows = { size: 4, documents: 2, ownerOf: Uint32Array.of(0, 1, 0, 1), standing: Uint8Array.of(1, 1) }
  const covered = (...terms: readonly string[]): readonly number[] =>
    Array.from(coverDocuments(rows, scoreChunks(words(...terms), corpus)), (part) => Math.round(part * 1000) / 1000)
  expect(covered('apple', 'plum')).toEqual([ONCE, 0])
  expect(covered('pear')).toEqual([0, ONCE])
  expect(covered('apple', 'pear')).toEqual([ONCE / 2, ONCE / 2])
  // The word occurs twice in each document: 2 / (2 + K1).
  expect(covered('all')).toEqual([0.69, 0.69])
})
