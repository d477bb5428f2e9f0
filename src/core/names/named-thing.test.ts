import { describe, expect, test } from 'vitest'
import { namedThings } from './named-thing.ts'
import { runs } from './words.ts'

const named = (name: string, context = ''): string[] =>
  namedThings(name, context).map((thing) => `${thing.key} ${thing.inCode}`)

describe('an alternative is known by', () => {
  test.each([
    ['MongoDB', ['mongodb key']],
    ['gRPC', ['grpc key']],
    ['Redis', ['redis spelling']],
    ['bcrypt', ['bcrypt spelling']],
    ['Event sourcing', ['eventsourcing key']],
    ['Use an ORM (Prisma)', ['orm spelling', 'prisma spelling']],
    ['Express or Fastify', ['express spelling', 'fastify spelling']],
    ['Express / Fastify', ['express spelling', 'fastify spelling']],
    ['A queue in Redis', ['queueinredis never', 'redis spelling']],
    ['Apache Kafka', ['kafka spelling']],
    ['GraphQL gateway for partners', ['graphqlgatewayforpartners never', 'graphql key']],
    ['Socket.IO', ['socketio key']],
  ])('%s', (name, expected) => expect(named(name)).toEqual(expected))
})

test('an ordinary word with a capital is a name only if a sentence spells it so', () => {
  expect(named('Zorkbase', 'We already run Zorkbase for sessions.')).toEqual(['zorkbase spelling'])
  expect(named('Zorkbase', '')).toEqual(['zorkbase never'])
  expect(named('Polling', 'Polling costs battery. It polls.')).toEqual(['polling never'])
  expect(named('Zorkbase as the cache', 'We already run Zorkbase.')).toEqual(['zorkbase spelling'])
  expect(named('Match on name and postcode', 'It matched two people.')).toEqual(['matchonnameandpostcode never'])
})

test.each([
  'Do nothing',
  'JSON files',
  'A custom client',
  'Keep the status quo',
  'Store it in the database',
  'One repository per service',
  'C',
  '',
])('%j names nothing that could be found again', (name) => expect(named(name)).toEqual([]))

test('words of the language in the name of an alternative are no names', () => {
  const levels = namedThings('Mean of three cosines (whole, title, best sentence)', '').map(({ spelled, level }) => [
    spelled,
    level,
  ])
  expect(levels).toContainEqual(['whole', 'word'])
  expect(levels.filter(([spelled, level]) => level === 'name' && spelled !== 'MOTC')).toEqual([])
})

test('an npm name stands behind a name that ends in .js', () => {
  expect(namedThings('Next.js', '')).toMatchObject([{ key: 'nextjs', packageName: 'next' }])
})

test('one key for every way to write a name', () => {
  for (const text of ['event sourcing', 'eventSourcing', 'event_sourcing', 'EVENT-SOURCING', 'EventSourcing'])
    expect(runs(text).map((run) => run.key)).toContain('eventsourcing')
  expect(runs('event(sourcing)').map((run) => run.key)).toEqual(['event', 'sourcing'])
})
