import { appendFileSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decisionFile } from '../../../../../test/contract/decision-text.ts'
import { stepClock } from '../../../../../test/contract/step-clock.ts'
import { PROJECT, useFileRecord } from '../../../../../test/file-record.ts'
import type { Origin } from '../../../../kernel/domain/origin.ts'
import type { Store } from '../../../ports/store.ts'
import { openMemoryStore } from '../../memory/index.ts'

const { at, open, put } = useFileRecord()

async function record(store: Store, surface: Origin['surface'], num: number): Promise<void> {
  const [path, text] = decisionFile(num, `Decision number ${num}`)
  await store.commit({ surface }, async (draft) => {
    draft.write(path, text)
    draft.note('propose_decision', { decision: path.slice('decisions/'.length, -3) })
  })
}

const accept = async (store: Store, num: number): Promise<void> => {
  const entry = (await store.catalogue()).decisions.find((decision) => decision.num === num)!
  await store.commit({ surface: 'cli' }, async (draft) => draft.note('accept', { decisions: [entry.stem] }))
}

const proposals = async (store: Store): Promise<number[]> =>
  (await store.catalogue()).decisions
    .filter((entry) => entry.trust === 'proposed by an agent')
    .map((entry) => entry.num)
const ranked = async (store: Store): Promise<string[]> =>
  (await store.rank({ text: 'decision number', limit: 5, among: 'all', check: false })).hits
    .map(({ entry }) => `${entry.num} ${entry.trust}`)
    .toSorted()

test.each([
  ['files', () => open()],
  ['memory', () => openMemoryStore({ project: PROJECT, clock: stepClock() })],
] as const)('%s: the catalogue and every ranking show the trust of a decision', async (_name, openStore) => {
  const store = await openStore()
  await record(store, 'cli', 1)
  await record(store, 'mcp-stdio', 2)
  await record(store, 'http', 3)
  expect(await proposals(store)).toEqual([2, 3])
  expect(await ranked(store)).toEqual(['1 approved', '2 proposed by an agent', '3 proposed by an agent'])
  await accept(store, 2)
  expect(await proposals(store)).toEqual([3])
  expect(await ranked(store)).toEqual(['1 approved', '2 approved', '3 proposed by an agent'])
})

test('a decision recorded or accepted by another process is seen at once, including by a new process', async () => {
  const [one, two] = [await open(), await open()]
  await record(one, 'mcp-stdio', 1)
  expect(await proposals(two)).toEqual([1])
  await accept(two, 1)
  expect(await proposals(one)).toEqual([])
  await record(one, 'mcp-http', 2)
  expect(await proposals(await open())).toEqual([2])
})

test('a journal that replaced another is read from its beginning', async () => {
  const store = await open()
  await record(store, 'mcp-stdio', 1)
  await record(store, 'mcp-stdio', 2)
  expect(await proposals(store)).toEqual([1, 2])
  const [first, second] = readFileSync(at('journal/events.jsonl'), 'utf8').trim().split('\n')
  const accepted = JSON.stringify({
    ...JSON.parse(second!),
    id: 'x',
    operation: 'accept',
    origin: { surface: 'cli' },
    facts: { decisions: ['002-decision-number-2'] },
    files: {},
  })
  writeFileSync(at('journal/new'), `${first}\n${second}\n${'\n'.repeat(500)}${accepted}\n`)
  renameSync(at('journal/new'), at('journal/events.jsonl'))
  expect(await proposals(store)).toEqual([1])
  expect(await proposals(await open())).toEqual([1])
})

test('a journal overwritten in place with a longer one is not mistaken for one that grew', async () => {
  const store = await open()
  await record(store, 'mcp-stdio', 1)
  expect(await proposals(store)).toEqual([1])
  const line = readFileSync(at('journal/events.jsonl'), 'utf8')
  writeFileSync(
    at('journal/events.jsonl'),
    `${line.replace('mcp-stdio', 'cli').replace(/"id":"[^"]*"/, '"id":"other"')}${line.replace('mcp-stdio', 'cli')}`,
  )
  expect(await proposals(store)).toEqual([])
})

test('a line that is still being written is read once it is complete', async () => {
  const store = await open()
  await record(store, 'mcp-stdio', 1)
  const line = JSON.stringify({
    event_version: 1,
    id: 'y',
    at: '2026-01-01',
    operation: 'accept',
    origin: { surface: 'cli' },
    facts: { decisions: ['001-decision-number-1'] },
    files: {},
  })
  appendFileSync(at('journal/events.jsonl'), line.slice(0, 40))
  expect(await proposals(store)).toEqual([1])
  appendFileSync(at('journal/events.jsonl'), `${line.slice(40)}\n`)
  expect(await proposals(store)).toEqual([])
})

test('a journal that is a link is not followed', async () => {
  put(Object.fromEntries([decisionFile(1, 'Decision number 1')]))
  put({
    'elsewhere.jsonl': `${JSON.stringify({ event_version: 1, id: 'z', at: '2026', operation: 'propose_decision', origin: { surface: 'http' }, facts: {}, files: { 'decisions/001-decision-number-1.md': 'h' } })}\n`,
    'journal/.keep': '',
  })
  symlinkSync(at('elsewhere.jsonl'), at('journal/events.jsonl'))
  expect(await proposals(await open())).toEqual([])
  rmSync(at('journal/events.jsonl'))
  renameSync(at('elsewhere.jsonl'), at('journal/events.jsonl'))
  expect(await proposals(await open())).toEqual([1])
})
