import { describe, expect, test } from 'vitest'
import { embedderForm, readEmbedderChoice } from './embedder-choice.ts'
import { inBatches, prefixesFor } from './model-input.ts'
import { readWordPieces } from './word-piece.ts'

describe('word pieces', () => {
  const entries = [
    '[UNK]',
    '[CLS]',
    '[SEP]',
    'user',
    'name',
    '##name',
    '##s',
    'resume',
    '日',
    '-',
    '_',
    '$',
    'un',
    '##aff',
    '##able',
  ]
  const file = (more: object = {}) => ({
    model: { type: 'WordPiece', vocab: Object.fromEntries(entries.map((entry, number) => [entry, number])) },
    normalizer: { lowercase: true },
    ...more,
  })
  const words = (text: string, most = 100) =>
    readWordPieces(file())!
      .encode(text, most)
      .map((number) => entries[number])

  test('the longest known piece is matched first, and a word with an unknown piece is unknown as a whole', () => {
    expect(words('unaffable usernames')).toEqual(['un', '##aff', '##able', 'user', '##name', '##s'])
    expect(words('userq name')).toEqual(['[UNK]', 'name'])
    expect(words('u'.repeat(101))).toEqual(['[UNK]'])
  })

  test('drops case, accents and invisible characters; punctuation and ideographs are separate tokens', () => {
    expect(words('Résumé')).toEqual(['resume'])
    expect(words('user_name-$日日')).toEqual(['user', '_', 'name', '-', '$', '日', '日'])
    expect(words('us\u200ber\u0000 \ud800name\n')).toEqual(['user', 'name'])
  })

  test('stops at the given limit, and treats marks in the text as text', () => {
    expect(words('user name user', 2)).toEqual(['user', 'name'])
    expect(words('[CLS]')).not.toContain('[CLS]')
  })

  test('rejects a tokenizer of another kind', () => {
    for (const other of [
      undefined,
      null,
      {},
      { model: { type: 'BPE', vocab: {} } },
      file({ model: { type: 'WordPiece', vocab: { a: 1 } } }),
    ])
      expect(readWordPieces(other)).toBeUndefined()
  })
})

test.each([
  ['nomic-embed-text:v1.5', 'nomic', 'search_query: ', 'search_document: '],
  ['intfloat/multilingual-e5-large', 'e5', 'query: ', 'passage: '],
  ['BAAI/bge-small-en-v1.5', 'bge', 'Represent this sentence for searching relevant passages: ', ''],
  ['mxbai-embed-large', 'bge', 'Represent this sentence for searching relevant passages: ', ''],
  ['embeddinggemma:300m', 'gemma', 'task: search result | query: ', 'title: none | text: '],
  ['text-embedding-3-small', 'plain', '', ''],
  ['bge-m3', 'plain', '', ''],
  ['snowflake-arctic-embed2', 'plain', '', ''],
])('%s uses the prefixes of %s', (model, scheme, query, document) => {
  expect(prefixesFor(model)).toMatchObject({ scheme, query, document })
})

test('qwen3 uses an instruction before queries only', () => {
  expect(prefixesFor('Qwen3-Embedding-0.6B')).toMatchObject({
    scheme: 'qwen3',
    query: expect.stringMatching(/^Instruct: .+\nQuery:$/),
    document: '',
  })
})

test('batches keep the order and both limits; a text over the limit is a separate batch', () => {
  const items = ['aa', 'b', 'c', 'd'.repeat(20), 'e', 'ff'].map((text) => ({ text }))
  const batches = inBatches(items, { count: 2, characters: 5 })
  expect(batches.map((batch) => batch.map(({ text }) => text[0]).join(''))).toEqual(['ab', 'c', 'd', 'ef'])
  expect(inBatches([], { count: 1, characters: 1 })).toEqual([])
})

test('search.embedder names a kind and a model', () => {
  expect(readEmbedderChoice('bundled')).toEqual({ kind: 'bundled', model: '' })
  expect(readEmbedderChoice('ollama:nomic-embed-text:v1.5')).toEqual({ kind: 'ollama', model: 'nomic-embed-text:v1.5' })
  const form = embedderForm(['bundled', 'onnx:<name>', 'ollama:<model>', 'openai:<model>'])
  for (const good of ['bundled', 'onnx:gte-small', 'openai:a/b']) expect(form.pattern.test(good)).toBe(true)
  for (const bad of ['', 'onnx', 'onnx:', 'cohere:x', 'ollama:a b', 'bundled:x'])
    expect(form.pattern.test(bad)).toBe(false)
  expect(form.fault).toBe('takes bundled, onnx:<name>, ollama:<model> or openai:<model>')
})
