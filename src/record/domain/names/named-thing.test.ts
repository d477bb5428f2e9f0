import { describe, expect, test } from 'vitest'
import { namedThings } from './named-thing.ts'
import { runs } from './words.ts'

const named = (name: string, context = ''): string[] =>
  namedThings(name, context).map((thing) => `${thing.key} ${thing.inCode}`)

describe('keys of an alternative and how they match in code', () => {
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

describe('the name of a service does not count as its vendor', () => {
  const ids = (name: string): string[] => namedThings(name, '').map((thing) => thing.id)

  test.each([
    ['AWS KMS', ['awskms']],
    ['Azure Service Bus', ['servicebus']],
    ['Google Cloud Pub/Sub', ['pubsub']],
    ['Firebase Auth', ['firebaseauth']],
    ['Elastic APM', ['elasticapm']],
    ['Apache Kafka Streams', ['kafkastreams']],
    ['Amazon SQS', ['sqs']],
    ['HashiCorp Vault', ['vault']],
    // Services that are not in the alias table.
    ['Azure Purview', ['=purview']],
    ['React Router', ['=react router']],
  ])('%s', (name, expected) => expect(ids(name)).toEqual(expected))

  test('a hosted service does not count as the self-hosted product', () => {
    expect(ids('Heroku Postgres')).toEqual(['herokupostgres'])
    expect(ids('Azure Cache for Redis')).toEqual(['azurecacheforredis'])
    expect(ids('AWS managed Kafka')).not.toContain('kafka')
    expect(ids('Kubernetes on AWS')).toEqual(['kubernetes'])
  })

  test('a vendor followed by a general word still counts as the vendor', () => {
    for (const name of ['AWS', 'AWS hosting', 'the AWS cloud', 'Move to AWS', 'Hosting on AWS'])
      expect(ids(name)).toContain('aws')
  })

  test('outside of code "Key Vault" is matched only with its vendor', () => {
    expect(named('Azure Key Vault')).toEqual(['azurekeyvault key'])
  })
})

test('a capitalised ordinary word is a name only if it is also capitalised within a sentence', () => {
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
])('%j names nothing that could be matched', (name) => expect(named(name)).toEqual([]))

test('ordinary words in the name of an alternative are not names', () => {
  const levels = namedThings('Mean of three cosines (whole, title, best sentence)', '').map(({ spelled, level }) => [
    spelled,
    level,
  ])
  expect(levels).toContainEqual(['whole', 'word'])
  expect(levels.filter(([spelled, level]) => level === 'name' && spelled !== 'MOTC')).toEqual([])
})

test('a name that ends in .js also matches its npm package', () => {
  expect(namedThings('Next.js', '')).toMatchObject([{ key: 'nextjs', packageName: 'next' }])
})

test('all spellings of a name share one key', () => {
  for (const text of ['event sourcing', 'eventSourcing', 'event_sourcing', 'EVENT-SOURCING', 'EventSourcing'])
    expect(runs(text).map((run) => run.key)).toContain('eventsourcing')
  expect(runs('event(sourcing)').map((run) => run.key)).toEqual(['event', 'sourcing'])
})
