import { expect, test } from 'vitest'
import type { Call } from '../src/kernel/ports/call.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { lastingId, readNamed } from '../src/record/named-decision.ts'
import { propose } from '../src/record/propose.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { PROJECT } from './file-record.ts'
import { recordFiles } from './sample-record.ts'

const REASON = 'It was tried, and it holds under the load of a Friday evening.'
const ctx = { clock: systemClock, origin: { surface: 'cli' } } as Call
const line = (id: string, files: Record<string, string | null>, facts = {}) => ({
  event_version: 1 as const,
  id,
  at: '2026-03-01T00:00:00.000Z',
  operation: 'x',
  origin: { surface: 'cli' as const },
  facts,
  files,
})

/** Records one decision and returns its number. */
async function recordedAs(files: Record<string, string>, events: readonly ReturnType<typeof line>[] = []) {
  const store = await openMemoryStore({ project: PROJECT, clock: systemClock, files, events })
  const numbers: (string | undefined)[] = []
  for (const title of ['Cache in Redis', 'Queue in NATS', 'Log with pino'])
    numbers.push((await propose(ctx, store, { title, rationale: REASON, operation: 'add' })).decision_id?.slice(0, 9))
  return numbers
}

const FIRST = recordFiles([{ num: 1, title: 'Begin' }])
const [begun] = Object.values(FIRST)

test.each(['9007199254740992', '9'.repeat(60), '999999999'])(
  'a file numbered %s does not change how the next decisions are numbered',
  async (digits) => {
    const expected = ['002-cache', '003-queue', '004-log-w']
    expect(await recordedAs({ ...FIRST, [`decisions/${digits}-x.md`]: begun! })).toEqual(expected)
    expect(await recordedAs(FIRST, [line('A', { [`decisions/${digits}-x.md`]: 'ab' })])).toEqual(expected)
  },
)

test('numbering continues after the highest number in a counted file name', async () => {
  expect(await recordedAs({ ...FIRST, 'decisions/99999999-x.md': begun! })).toEqual([
    '100000000',
    '100000001',
    '100000002',
  ])
})

test('an id that a journal assigns to two decisions resolves to neither', async () => {
  const store = await openMemoryStore({
    project: PROJECT,
    clock: systemClock,
    files: recordFiles([
      { num: 2, title: 'a' },
      { num: 3, title: 'a' },
    ]),
    events: [
      line('A', { 'decisions/002-a.md': 'x' }),
      line(
        'B',
        { 'decisions/002-a.md': null, 'decisions/003-a.md': 'y' },
        { renumbered: [{ from: '002-a', to: '003-a' }] },
      ),
      line('C', { 'decisions/002-a.md': 'x' }),
    ],
  })
  const catalogue = await store.catalogue()
  const shared = catalogue.identities!().ids.get('003-a')!
  expect(catalogue.identities!().ids.get('002-a')).toBe(shared)
  expect(readNamed(catalogue, shared)).toBeUndefined()
  expect(catalogue.decisions.map((entry) => lastingId(catalogue, entry))).toEqual([undefined, undefined])
})
