import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { JournalEvent } from '../src/record/domain/journal/event.ts'
import { openTruthDesk, type TruthDesk } from './truth-desk.ts'

let desk: TruthDesk
afterEach(() => desk.close())

const byAgent = { origin: { surface: 'mcp-stdio', client: 'codex' } } as const
const as = async (more: Partial<Context>, name: string, input: object = {}) =>
  (
    await call(
      { ...desk.context(), ...more },
      OPERATIONS.find((op) => op.name === name)!,
      input,
    )
  ).output as Record<string, any>
const undo = (input: Record<string, unknown> = { yes: true }) => desk.run('undo', input)
/** Every visible file in the record, with its text. */
async function texts(): Promise<Record<string, string>> {
  const store = await desk.store()
  const paths = await store.list()
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await store.read(path)) ?? ''])))
}
const isSound = async () => {
  expect(await desk.run('doctor')).toMatchObject({ clean: true })
  expect(await (await desk.store()).verify()).toEqual([])
}

describe.each(['local', 'repo'] as const)('in a record of mode %s', (mode) => {
  test('undoes every kind of change, one after the other, back to the initial record', async () => {
    desk = await openTruthDesk(mode)
    const states = [await texts()]
    const steps: (() => Promise<unknown>)[] = [
      () => desk.propose('Queue in Postgres'),
      () => desk.run('flag_question', { question: 'Do we need audit logs?' }),
      () => desk.propose('Queue in Redis', { operation: 'supersede', affected_decision_id: 'D2' }),
      () =>
        desk.run('propose_decision', {
          operation: 'update',
          affected_decision_id: 'D3',
          rationale: 'Measured again, and found the same.',
        }),
      () => desk.run('flag_question', { targets: ['Q1'], resolved_by: 'D3' }),
      () => desk.run('update_state', { delta: 'The queue runs.' }),
    ]
    for (const step of steps) {
      await step()
      states.push(await texts())
    }
    for (const before of states.slice(0, -1).toReversed()) {
      expect(await undo()).toMatchObject({ outcome: 'undone' })
      expect(await texts()).toEqual(before)
      await isSound()
    }
    await expect(undo()).rejects.toMatchObject({ code: 'not_found' })
    await desk.propose('Queue in Postgres')
  })
})

test('shows the change and asks for confirmation; declining, a script and --dry-run change nothing', async () => {
  desk = await openTruthDesk('local')
  await desk.propose('Queue in Postgres')
  const before = desk.bytes()
  const asked: string[] = []
  const declined = await as({ confirm: async (question) => asked.push(question) === 0 }, 'undo')
  expect(declined['outcome']).toBe('declined')
  expect(asked).toEqual([
    expect.stringMatching(
      /^The last change made here: D002 "Queue in Postgres" was recorded \(\S+, through cli\)\nWithout it 1 file would change:\n {2}- decisions\/002-queue-in-postgres\.md\n\nTake it back\?$/,
    ),
  ])
  expect(await undo({})).toMatchObject({ outcome: 'unanswered' })
  expect(await undo({ dry_run: true })).toMatchObject({
    outcome: 'dry_run',
    removed: ['decisions/002-queue-in-postgres.md'],
  })
  expect(desk.bytes()).toEqual(before)
  expect(await as({ confirm: async () => true }, 'undo')).toMatchObject({ outcome: 'undone' })
})

test('a change made during the prompt is not undone in place of the one shown', async () => {
  desk = await openTruthDesk('local')
  await desk.propose('Queue in Postgres')
  const confirm = async () => (await desk.propose('Cache in Redis')) !== ''
  await expect(as({ confirm }, 'undo')).rejects.toMatchObject({ code: 'conflict' })
  expect(Object.keys(await texts()).filter((path) => /00[23]/.test(path))).toHaveLength(2)
})

test('redo restores undone changes one after the other, and keeps decisions recorded since', async () => {
  desk = await openTruthDesk('local')
  await desk.propose('Queue in Postgres')
  await desk.propose('Queue in Redis', { operation: 'supersede', affected_decision_id: 'D2' })
  const before = await texts()
  await undo()
  await undo()
  await desk.propose('Cache in the process')
  expect(await desk.run('redo')).toMatchObject({ change: { what: 'D002 "Queue in Postgres" was recorded' } })
  expect(await desk.run('redo')).toMatchObject({ change: { operation: 'supersede_decision' } })
  const { 'decisions/004-cache-in-the-process.md': since, ...others } = await texts()
  expect([others, since]).toEqual([before, expect.stringContaining('# 004 — Cache in the process')])
  await isSound()
  await expect(desk.run('redo')).rejects.toMatchObject({ code: 'not_found' })
  expect(await undo()).toMatchObject({ change: { what: 'D004 "Cache in the process" was recorded' } })
  expect(await undo()).toMatchObject({ change: { operation: 'supersede_decision' } })
})

test('redo is refused if the file was changed since the undo', async () => {
  desk = await openTruthDesk('local')
  await desk.run('update_state', { delta: 'The queue runs.' })
  await undo()
  await desk.run('update_state', { delta: 'The cache runs.' })
  const before = await texts()
  await expect(desk.run('redo')).rejects.toMatchObject({ code: 'conflict' })
  expect(await texts()).toEqual(before)
})

describe('an undo is refused', () => {
  test('if a file was edited by hand since', async () => {
    desk = await openTruthDesk('local')
    await desk.run('update_state', { delta: 'The queue runs.' })
    appendFileSync(join(desk.root, 'state_current.md'), 'And more.\n')
    await expect(undo()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('by hand') })
  })

  test('if a colleague’s merged change modified the same file afterwards', async () => {
    desk = await openTruthDesk('repo')
    await desk.propose('Queue in Postgres')
    // A colleague's change that was merged has journal lines but no snapshot here.
    const store = await desk.store()
    const text = desk.read('decisions/002-queue-in-postgres.md')
    await store.commit({ surface: 'cli' }, async (draft) => {
      draft.write('decisions/002-queue-in-postgres.md', text.replace('measured', 'weighed'))
      draft.note('update_decision', { decision: '002-queue-in-postgres', target: '002-queue-in-postgres' })
    })
    await expect(undo()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /002-queue-in-postgres\.md was changed again on \d{4}-\d\d-\d\d \(update_decision\)/,
      ),
    })
  })

  test('if another decision or question names the recorded item', async () => {
    desk = await openTruthDesk('repo')
    await desk.run('flag_question', { question: 'Which queue?' })
    await desk.propose('Queue in Postgres')
    const store = await desk.store()
    const asked = desk.read('open-questions.md')
    const resolve = async (text: string) =>
      store.commit({ surface: 'cli' }, async (draft) => {
        draft.write('open-questions.md', text)
        draft.note('resolve_questions', { questions: ['Q1'], decision: 2 })
      })
    await desk.run('flag_question', { targets: ['Q1'], resolved_by: 'D2' })
    const resolved = desk.read('open-questions.md')
    await undo()
    await resolve(resolved)
    await expect(undo()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Q1 refers to D002'),
    })
    await resolve(asked)
    const later = desk
      .read('decisions/002-queue-in-postgres.md')
      .replace(/# 002/, '# 003')
      .replace(/^supersedes: null/m, "supersedes: '2'")
    await store.commit({ surface: 'cli' }, async (draft) => {
      draft.write(
        'decisions/003-queue-in-redis.md',
        later.includes("supersedes: '2'") ? later : later.replace('---\n', "---\nsupersedes: '2'\n"),
      )
      draft.note('supersede_decision', { decision: '003-queue-in-redis' })
    })
    await expect(undo()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('D003 refers to D002'),
    })
  })

  test('after `ken redact`, and no earlier change is undone instead', async () => {
    desk = await openTruthDesk('repo')
    await desk.propose('Queue in Postgres')
    await (
      await desk.store()
    ).commit({ surface: 'cli' }, async (draft) => {
      draft.write('stack.md', `# Stack\n\nThe token is ghp_${'a1B2'.repeat(9)}.\n`)
      draft.snapshot('edit')
    })
    expect(await desk.run('redact', { yes: true })).toMatchObject({ outcome: 'redacted' })
    await expect(undo()).rejects.toMatchObject({ message: expect.stringContaining('ken redact') })
  })

  test('if the record came with an untrusted clone', async () => {
    desk = await openTruthDesk('repo')
    await desk.propose('Queue in Postgres')
    const store = await desk.store()
    const stranger = { ...store, project: { ...store.project, fromClone: true } }
    await expect(as({ record: async () => stranger }, 'undo', { yes: true })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

test('others’ changes that came with a merge cannot be undone', async () => {
  desk = await openTruthDesk('repo')
  await desk.propose('Queue in Postgres')
  const store = await desk.store()
  await store.commit({ surface: 'cli' }, async (draft) => {
    draft.write('stack.md', '# Stack\n\nGo.\n')
    draft.note('edit', {})
  })
  await store.commit({ surface: 'merge' }, async (draft) => {
    draft.note('join', {})
    draft.snapshot('join')
  })
  expect(await undo()).toMatchObject({ change: { operation: 'propose_decision' } })
  expect(desk.read('stack.md')).toBe('# Stack\n\nGo.\n')
})

test('undo restores the trust with the text: accepted, proposed by an agent, updated by an agent', async () => {
  desk = await openTruthDesk('local')
  const trust = async () =>
    ((await desk.run('list_decisions', { include_superseded: true })) as Record<string, any>)['decisions'].map(
      (d: any) => [d.number, d.trust],
    )
  await desk.propose('Queue in Postgres')
  await as(byAgent, 'propose_decision', {
    operation: 'update',
    affected_decision_id: 'D2',
    rationale: 'Something that an agent found out.',
  })
  expect((await trust())[0]).toEqual([2, 'proposed by an agent'])
  expect(await undo({ dry_run: true })).toMatchObject({ change: { by: 'mcp-stdio codex' } })
  await undo()
  expect((await trust())[0]).toEqual([2, 'approved'])
  await as(byAgent, 'propose_decision', { title: 'Cache in Redis', rationale: 'An agent thinks that it is faster.' })
  await desk.run('accept', { decisions: ['3'] })
  expect((await trust())[0]).toEqual([3, 'approved'])
  expect(await undo()).toMatchObject({ change: { what: 'D003 was accepted' } })
  expect((await trust())[0]).toEqual([3, 'proposed by an agent'])
  await isSound()
})

test('one journal event records the undone change', async () => {
  desk = await openTruthDesk('local')
  await desk.propose('Queue in Postgres')
  await undo()
  const events: readonly JournalEvent[] = await (await desk.store()).journal()
  expect(events.map(({ operation }) => operation)).toEqual(['init', 'propose_decision', 'undo'])
  expect(events.at(-1)).toMatchObject({
    facts: { undone: events[1]!.id, operation: 'propose_decision' },
    files: { 'decisions/002-queue-in-postgres.md': null },
  })
})
