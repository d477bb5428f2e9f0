import { afterEach, beforeEach, expect, it } from 'vitest'
import { accept } from '../src/record/operations/accept.ts'
import { decisionHistory } from '../src/record/operations/decision-history.ts'
import { edit } from '../src/record/operations/edit.ts'
import { flagQuestion } from '../src/record/operations/flag-question.ts'
import { getDecision } from '../src/record/operations/get-decision.ts'
import { journal } from '../src/record/operations/journal.ts'
import { listDecisions } from '../src/record/operations/list-decisions.ts'
import { proposeDecision } from '../src/record/operations/propose-decision.ts'
import { questions } from '../src/record/operations/questions.ts'
import { searchDecisions } from '../src/record/operations/search-decisions.ts'
import { undo } from '../src/record/operations/undo.ts'
import { init } from '../src/setup/operations/init.ts'
import { openDesk, type Desk } from './client-desk.ts'

const REASON = 'Measured over a week, and the team can run it without help from anybody else.'
let desk: Desk
beforeEach(async () => {
  desk = openDesk()
  await desk.run(init, {})
  await desk.run(proposeDecision, {
    title: 'Cache hot reads in Redis',
    rationale: REASON,
    rejected: [{ alternative: 'Memcached', reason: 'It keeps nothing.' }],
    files_affected: ['src/cache/**'],
    decision_type: 'infrastructure',
    confidence: 'high',
  })
  await desk.run(proposeDecision, {
    operation: 'supersede',
    affected_decision_id: 'D2',
    title: 'Cache in the process',
    rationale: `${REASON} One service less.`,
    decision_type: 'architecture',
  })
})
afterEach(() => desk.close())

const numbers = async (input: object): Promise<number[]> =>
  (await desk.run(listDecisions, { ...input }))['decisions'].map(({ number }: { number: number }) => number)

it('lists by status, type, confidence, file and day', async () => {
  expect(await numbers({ include_superseded: true })).toEqual([3, 2, 1])
  expect(await numbers({ status: 'superseded' })).toEqual([2])
  expect(await numbers({ type: 'architecture' })).toContain(3)
  expect(await numbers({ include_superseded: true, confidence: 'high' })).toContain(2)
  expect(await numbers({ include_superseded: true, file: 'src/cache/lru.ts' })).toEqual([2])
  expect(await numbers({ include_superseded: true, file: 'src' })).toEqual([2])
  expect(await numbers({ until: '1999' })).toEqual([])
  expect(await numbers({ since: '1999-12' })).toEqual([3, 1])
})

it('orders by any column, in both directions', async () => {
  const all = { include_superseded: true }
  expect(await numbers({ ...all, order: 'title' })).toEqual([2, 3, 1])
  expect(await numbers({ ...all, order: 'title', reverse: true })).toEqual([1, 3, 2])
  expect(await numbers({ ...all, reverse: true })).toEqual([1, 2, 3])
  expect((await numbers({ ...all, order: 'files' }))[0]).toBe(2)
  expect((await numbers({ ...all, order: 'confidence' }))[0]).toBe(2)
  expect((await numbers({ ...all, order: 'type', reverse: true })).at(-1)).toBe(3)
})

it('returns the outcome and the files of each decision on request', async () => {
  const { decisions } = await desk.run(listDecisions, { include_superseded: true, outcomes: true })
  expect(decisions[1]).toMatchObject({ number: 2, files: ['src/cache/**'], files_total: 1 })
  expect(decisions[1].outcome).toContain('Rejected: Memcached.')
  expect((await desk.run(listDecisions, {}))['decisions'][0]).not.toHaveProperty('outcome')
})

it('counts each facet without its own filter, and returns the position of a decision', async () => {
  const told = await desk.run(listDecisions, { status: 'superseded', counts: true, locate: 2, order: 'date' })
  expect(told).toMatchObject({
    total: 1,
    position: 0,
    counts: { status: { active: 2, superseded: 1 }, type: { infrastructure: 1 } },
  })
  expect(told['counts'].months).toHaveLength(1)
  expect(await desk.run(listDecisions, { locate: 2 })).not.toHaveProperty('position')
})

it('searches only superseded decisions on request', async () => {
  const found = await desk.run(searchDecisions, { query: 'cache', status: 'superseded' })
  expect(found['results'].map(({ number }: { number: number }) => number)).toEqual([2])
})

it('returns a decision in parts, with the decisions it supersedes or is superseded by', async () => {
  expect(await desk.run(getDecision, { number: 2, parts: true })).toMatchObject({
    parts: { type: 'infrastructure', files: ['src/cache/**'], rejected: [{ name: 'Memcached' }], rationale: REASON },
    lineage: [
      { number: 2, replaces: [] },
      { number: 3, replaces: [2] },
    ],
  })
  expect(await desk.run(getDecision, { number: 2 })).not.toHaveProperty('parts')
})

it('returns the history of a decision, with the changes to its text', async () => {
  const { events } = await desk.run(decisionHistory, { number: 2 })
  expect(events.map(({ what }: { what: string }) => what)).toEqual(['replaced', 'recorded'])
  expect(events[0].diff).toContain('+status: superseded')
  const short = await desk.run(decisionHistory, { number: 2, diffs: false })
  expect(short['events'][0]).not.toHaveProperty('diff')
})

it('a dry run of a proposal returns its effects, and writes nothing', async () => {
  const before = await desk.run(journal, {})
  expect(
    await desk.run(proposeDecision, { title: 'Cache in the process', rationale: REASON, dry_run: true }),
  ).toMatchObject({ status: 'rejected' })
  expect(
    await desk.run(proposeDecision, { title: 'Write logs as JSON', rationale: REASON, dry_run: true }),
  ).toMatchObject({
    status: 'confirmed',
    assessment: 'Not recorded yet. It would be: Recorded as D004 "Write logs as JSON".',
  })
  expect(await desk.run(journal, {})).toEqual(before)
  expect(await numbers({})).toEqual([3, 1])
})

it('undoes exactly the named change', async () => {
  const { change } = await desk.run(undo, { dry_run: true })
  await desk.run(flagQuestion, { question: 'How large may the cache grow?' })
  await expect(desk.run(undo, { yes: true, only: change.id })).rejects.toMatchObject({ code: 'conflict' })
  const newest = await desk.run(undo, { dry_run: true })
  expect(await desk.run(undo, { yes: true, only: newest['change'].id })).toMatchObject({ outcome: 'undone' })
  expect(await desk.run(undo, { yes: true, only: change.id })).toMatchObject({ outcome: 'undone' })
  expect(await numbers({})).toEqual([2, 1])
})

it('refuses an edit if the decision has changed since it was read', async () => {
  const { parts, content } = await desk.run(getDecision, { number: 3, parts: true })
  const text = content.replace('Measured', 'Counted')
  expect(await desk.run(edit, { decision: '3', text, expects: parts.hash })).toMatchObject({ changed: true })
  await expect(desk.run(edit, { decision: '3', text: content, expects: parts.hash })).rejects.toMatchObject({
    code: 'conflict',
  })
  const { events } = await desk.run(decisionHistory, { number: 3 })
  expect(events[0]).toMatchObject({ what: 'edited', diff: expect.stringContaining('+Counted') })
})

it('returns the author of a question, and the days with changes', async () => {
  await desk.run(flagQuestion, { question: 'How large may the cache grow?' })
  const asked = await desk.run(questions, {})
  expect(asked['questions'][0]).toMatchObject({ id: 'Q1', asked_by: 'cli', asked_at: expect.any(String) })
  const { days, total } = await desk.run(journal, { by_day: true })
  expect(days.reduce((sum: number, { events }: { events: number }) => sum + events, 0)).toBe(total)
  await desk.run(accept, { dry_run: true })
})
