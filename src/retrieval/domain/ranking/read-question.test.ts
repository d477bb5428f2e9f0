import { describe, expect, test } from 'vitest'
import { namesOf, nameTerm } from './marks.ts'
import { readQuestion } from './read-question.ts'

test.each(['What did I say about it?', 'when does my first sprint end', "i'm looking for a cache", 'Remind me of it.'])(
  '%s is about the asker',
  (text) => {
    expect(readQuestion(text).aboutAsker).toBe(true)
  },
)

test.each(['which database do we use', 'async I/O in the worker', 'MySQL or myapp', 'state of the mind map', ''])(
  '%s is about something else',
  (text) => {
    expect(readQuestion(text).aboutAsker).toBe(false)
  },
)

test.each(['how is login tested', 'tests of the parser', 'parser.test.ts', 'login_spec', 'mock of the clock'])(
  '%s is about tests',
  (text) => {
    expect(readQuestion(text).aboutTests).toBe(true)
  },
)

test.each(['the latest release', 'attest a build', 'contest rules', 'parser.ts'])('%s is not about tests', (text) => {
  expect(readQuestion(text).aboutTests).toBe(false)
})

test.each(['parseHttp', 'parse_http', 'http::parse', 'HTTP_PORT', 'user.name', 'open()', '$scope_id'])(
  '%s is an identifier',
  (text) => {
    expect(readQuestion(text).isIdentifier).toBe(true)
  },
)

test.each(['Observability', 'parse http', 'what is parseHttp', 'HTTP', ''])('%s is not an identifier', (text) => {
  expect(readQuestion(text).isIdentifier).toBe(false)
})

describe('the name that a question asks for', () => {
  test.each([
    ['how does the write-ahead log work?', 'Write-ahead log'],
    ['What is observability?', 'Observability'],
    ['where is rate limiting implemented', 'Rate limiting'],
    ['explain the release process', 'The release process'],
    ['Use PostgreSQL for storage', 'Use PostgreSQL for storage'],
    ['retry-policy.md', 'retry-policy.md'],
  ])('%j may refer to the name %j', (text, name) => {
    expect(readQuestion(text).names).toContain(nameTerm(name))
  })

  test('a page of text is not a name', () => {
    expect(readQuestion('word '.repeat(500)).names).toEqual([])
    expect(readQuestion('').names).toEqual([])
  })
})

test.each(['12. Use Kafka', 'ADR-0012: Use Kafka', 'ADR012 Use Kafka', '[ADR 12] Use Kafka', '0012 - Use Kafka'])(
  '%j is named by the text after its number',
  (title) => {
    expect(namesOf(title, '/docs/x.md')).toContain(nameTerm('use kafka'))
  },
)

test('a file is named with and without its extension and its number', () => {
  const names = namesOf('Queues', '/docs/0012-use-kafka.md')
  expect(names).toEqual(
    expect.arrayContaining(['queues', '0012-use-kafka.md', '0012-use-kafka', 'use-kafka'].map(nameTerm)),
  )
})
