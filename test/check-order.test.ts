import { describe, expect, test } from 'vitest'
import { systemClock } from '../src/kernel/system/clock.ts'
import { check, type CheckRequest } from '../src/record/check.ts'
import { decisionNumber } from '../src/record/domain/decision/decision-id.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import { decisionFile } from './contract/decision-text.ts'

const MODEL = new URL('../models/static-256/model.bin', import.meta.url).pathname
const project = { id: '01JQ0000000000000000000000', name: 'order', mode: 'local', location: '' } as const
const RECORD = Object.fromEntries([
  decisionFile(2, 'Ship the web client with React and Vite', {
    rationale: 'The interface is rendered in the browser; the team knows React components.',
    rejected: [{ name: 'Vue', reason: 'Nobody here has written it.' }],
    files_affected: ['web/**'],
  }),
  decisionFile(3, 'Preview every change in the browser before review', {
    rationale: 'A build of each pull request is put on a preview address, and tests run in a browser against it.',
  }),
  decisionFile(4, 'Server-side rendering for the landing pages', {
    rationale: 'Search engines index what comes finished from the server.',
  }),
  decisionFile(5, '使用消息队列处理异步任务', { rationale: '订单和邮件不应阻塞请求。' }),
  decisionFile(6, 'Sign API calls with JWT', { rationale: 'Services verify a token without asking anyone.' }),
  decisionFile(7, 'Backups are restored once a month', { rationale: 'A backup that was never restored is a hope.' }),
  decisionFile(8, 'Deploy with Nomad', {
    rationale: 'One binary on three machines.',
    rejected: [{ name: 'Kubernetes', reason: 'Too many parts for two people.' }],
  }),
])

const model = openStaticEmbedder(MODEL)
const open = (files: Readonly<Record<string, string>> = RECORD) =>
  openMemoryStore({ project, clock: systemClock, files, embedder: async () => model })
const ask = async (request: CheckRequest) => check(await open(), request)
const numbers = ({ related_decisions }: Awaited<ReturnType<typeof check>>) =>
  related_decisions.map(({ id }) => decisionNumber(id))

describe('the result of a check', () => {
  test('is ordered by relevance, and names the top match', async () => {
    const answer = await ask({ proposed_approach: 'Build the browser front end with Svelte components' })
    expect(numbers(answer)[0]).toBe(2)
    expect(answer.assessment).toContain('Top match: D002')
    const verdicts = answer.related_decisions.map((hit) => hit.verdict)
    expect(verdicts).not.toContain('none')
  })

  test('begins with a decision that rejected a thing in the proposal, even if it is named late and in lower case', async () => {
    const long = `${'We have looked at many ways to run our services and talked to several people about it. '.repeat(4)}So let us run it on kubernetes.`
    const answer = await ask({ proposed_approach: long })
    expect(answer.related_decisions[0]).toMatchObject({
      id: 'decision-008',
      verdict: 'strong',
      brings_back: { alternative: 'Kubernetes' },
    })
  })

  test('files raise the decisions that govern them and hide no rejection', async () => {
    const answer = await ask({ proposed_approach: 'Run the nightly jobs on k8s', files: ['web/app.tsx'] })
    expect(numbers(answer).slice(0, 2)).toEqual([8, 2])
    expect(answer.related_decisions[1]).toMatchObject({ governs: true, verdict: 'related' })
  })

  test.each([
    ['an acronym finds what it stands for', 'SSR for the shop', 4],
    ['what an acronym stands for finds it', 'JSON web token between services', 6],
    ['a name in a script without spaces', '引入消息队列', 5],
  ])('%s', async (_, proposed_approach, wanted) => {
    expect(numbers(await ask({ proposed_approach }))).toContain(wanted)
  })

  test('reports how many decisions were searched and how many could not be read', async () => {
    const store = await open({ ...RECORD, 'decisions/009-broken.md': 'no frontmatter at all' })
    const answer = await check(store, { proposed_approach: 'Deploy with Nomad on Fridays' })
    expect(answer).toMatchObject({ searched: 7, unreadable: 1 })
    expect(answer.assessment).toMatch(/7 decisions searched\. 1 file of the record could not be read/)
  })

  test('a record with no readable decision is not called empty', async () => {
    const answer = await check(await open({ 'decisions/002-broken.md': 'x' }), { proposed_approach: 'Anything' })
    expect(answer.assessment).not.toContain('no decisions')
    expect(answer).toMatchObject({ searched: 0, unreadable: 1 })
  })
})
