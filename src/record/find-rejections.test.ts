import { expect, test } from 'vitest'
import { stepClock } from '../../test/contract/step-clock.ts'
import { type Given, recordFiles } from '../../test/sample-record.ts'
import { findRejections } from './find-rejections.ts'
import { openMemoryStore } from './store/memory/index.ts'

const DECISIONS: Given[] = [
  {
    num: 2,
    title: 'Jobs run in a Postgres queue',
    rationale: 'We run Postgres already; one more service costs a night a month.',
    rejected: [{ name: 'Redis', reason: 'One more service to run.' }],
  },
  {
    num: 3,
    title: 'One machine with systemd',
    rationale: 'Three services do not need a scheduler.',
    rejected: [{ name: 'Kubernetes', reason: 'Nobody here runs it.' }],
  },
  {
    num: 4,
    title: 'Sessions are opaque cookies',
    rationale: 'They can be taken back at once.',
    rejected: [{ name: 'JWT', reason: 'Cannot be revoked.' }],
  },
  {
    num: 5,
    title: 'Orders are handled in the request',
    rationale: 'Volumes are small and errors show at once.',
    rejected: [
      { name: '消息队列', reason: '太复杂' },
      { name: 'Server-side rendering (SSR)', reason: 'No.' },
    ],
  },
  {
    num: 6,
    title: 'Live updates over server-sent events',
    rationale: 'Phones keep one connection open.',
    rejected: [{ name: 'Polling', reason: 'Drains the battery.' }],
  },
  {
    num: 7,
    title: 'Documents in Postgres',
    rationale: 'Joins matter more than free schemas here.',
    rejected: [{ name: 'MongoDB', reason: 'No joins.' }],
  },
]

async function found(text: string): Promise<string[]> {
  const store = await openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: recordFiles(DECISIONS),
  })
  return (await findRejections(store, text)).map(
    ({ entry, alternative, named }) => `${entry.num} ${alternative}: ${named}`,
  )
}

test.each([
  ['Put the sessions into redis', ['2 Redis: redis']],
  ['Deploy everything on k8s', ['3 Kubernetes: k8s']],
  ['Sign the cookie with jsonwebtoken', ['4 JWT: jsonwebtoken']],
  ['Use JSON Web Tokens for the API', ['4 JWT: JSON Web Tokens']],
  ['我们改用消息队列处理订单', ['5 消息队列: 消息队列']],
  ['Render the shop with SSR', ['5 Server-side rendering (SSR): SSR']],
  ['Store documents with mongoose', ['7 MongoDB: mongoose']],
  ['Let phones use polling for live updates', ['6 Polling: polling']],
  ['The health checker keeps polling the printer', []],
  ['Never adopt MongoDB', []],
  ['Why not use Redis?', ['2 Redis: Redis']],
])('%s', async (text, expected) => expect(await found(text)).toEqual(expected))

test('a name at the end of a long proposal counts as much as one at its start', async () => {
  const text = `${'The shop grows and grows. '.repeat(150)}So we move to kubernetes.`
  expect(await found(text)).toEqual(['3 Kubernetes: kubernetes'])
})

test('matches the choice of another decision only in a text on the same subject', async () => {
  const caching: Given = { num: 8, title: 'Price lists are cached in Redis', rationale: 'They change once a day.' }
  const store = await openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: recordFiles([...DECISIONS, caching]),
  })
  expect(await findRejections(store, 'Cache the menu in Redis')).toEqual([])
  expect(await findRejections(store, 'Keep the jobs in Redis')).toMatchObject([{ alternative: 'Redis' }])
})
