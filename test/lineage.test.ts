import { expect, test } from 'vitest'
import type { Context } from '../src/operations/context.ts'
import { check } from '../src/record/check.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { type DecisionProposal, writeProposal } from '../src/record/write-proposal.ts'
import { stepClock } from './contract/step-clock.ts'
import { recordFiles } from './sample-record.ts'

/** A record in which pino was chosen over winston and bunyan, with later decisions. */
async function goneOnWith(...later: Partial<DecisionProposal>[]) {
  const clock = stepClock()
  const store = await openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock,
    files: recordFiles([
      {
        num: 2,
        title: 'Log with pino',
        rationale: 'It is the fastest of the three and writes JSON.',
        rejected: [
          { name: 'winston', reason: 'Slow.' },
          { name: 'bunyan', reason: 'Nobody maintains it.' },
        ],
      },
    ]),
  })
  const ctx = { clock, origin: { surface: 'cli' } } as Partial<Context> as Context
  const answers: string[] = []
  for (const [i, proposal] of later.entries()) {
    const written = await store.commit(ctx.origin, (draft) =>
      writeProposal(ctx, draft, {
        title: `Log with pino ${i + 9}`,
        rationale: 'The new version is smaller and has the same format.',
        operation: 'supersede',
        affected_decision_id: `D${i + 2}`,
        ...proposal,
      }),
    )
    answers.push(written.assessment)
  }
  const told = async (approach: string) => {
    const { related_decisions, returns_to } = await check(store, { proposed_approach: approach })
    return {
      back: related_decisions.flatMap(({ id, brings_back }) =>
        brings_back ? [`${id} ${brings_back.alternative} by ${brings_back.rejected_by}`] : [],
      ),
      returns: returns_to.map(({ id }) => id),
    }
  }
  return { store, answers, told }
}

test('a rejection stays in force when its decision is superseded, and the answer reports it', async () => {
  const { answers, told } = await goneOnWith({}, {})
  expect(answers).toEqual([
    'Recorded as D003 "Log with pino 9"; it supersedes D002 "Log with pino". Still rejected: winston, bunyan.',
    'Recorded as D004 "Log with pino 10"; it supersedes D003 "Log with pino 9". Still rejected: winston, bunyan.',
  ])
  expect(await told('use winston for the logs')).toEqual({ back: ['decision-004 winston by D002'], returns: [] })
})

test('an alternative chosen by a successor is no longer rejected; the others still are', async () => {
  const { answers, told } = await goneOnWith({ title: 'Log with winston' })
  expect(answers).toEqual([
    'Recorded as D003 "Log with winston"; it supersedes D002 "Log with pino". No longer rejected: winston. Still rejected: bunyan.',
  ])
  expect((await told('use winston for the logs')).back).toEqual([])
  expect((await told('use bunyan for the logs')).back).toEqual(['decision-003 bunyan by D002'])
})

test('a successor chooses an alternative if its rationale switches to it, not if it only names it', async () => {
  const chosen = await goneOnWith({
    title: 'Another logger',
    rationale: 'We switch to winston, the team knows it well.',
  })
  expect((await chosen.told('use winston for the logs')).back).toEqual([])
  const named = await goneOnWith({
    title: 'Log with pino 9',
    rationale: 'We had problems with winston in another project.',
  })
  expect((await named.told('use winston for the logs')).back).toEqual(['decision-003 winston by D002'])
})

test('a successor can lift a rejection without choosing the rejected alternative', async () => {
  const { answers, told } = await goneOnWith({ lift: ['Winston'] })
  expect(answers[0]).toMatch(/No longer rejected: winston\. Still rejected: bunyan\.$/)
  expect((await told('use winston for the logs')).back).toEqual([])
})

test('a rejection lifted in the rationale is reported like one lifted by the lift field', async () => {
  const { answers } = await goneOnWith({ rationale: 'It is the newest version.\n\nLifts the rejection of bunyan.' })
  expect(answers[0]).toMatch(/No longer rejected: bunyan\. Still rejected: winston\.$/)
})

test('only existing rejections can be lifted, and only by a successor', async () => {
  await expect(goneOnWith({ lift: ['log4js'] })).rejects.toThrow(
    '"log4js" cannot be lifted: it is not among what is rejected here (winston, bunyan).',
  )
  await expect(goneOnWith({ lift: ['winston'], operation: 'add' })).rejects.toThrow(
    'Only a decision that supersedes another can lift what that one rejected.',
  )
})
