import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCases } from '../../src/evaluation/domain/read-cases.ts'
import { testCaseFields, type CaseOf, type TestCase } from '../../src/evaluation/domain/test-case.ts'
import { orBroken, type CaseResult } from '../../src/evaluation/operations/case-result.ts'
import { runContextCase } from '../../src/evaluation/operations/run-context-case.ts'
import { runDecisionCase } from '../../src/evaluation/operations/run-decision-case.ts'
import { runMemoryCase } from '../../src/evaluation/operations/run-memory-case.ts'
import { runRetrievalCase } from '../../src/evaluation/operations/run-retrieval-case.ts'
import type { Context } from '../../src/operations/context.ts'
import { openAnalystDesk, type AnalystDesk } from '../analyst/analyst-desk.ts'

let desk: AnalystDesk

beforeAll(async () => {
  desk = await openAnalystDesk(() => 'null', {
    files: {
      'docs/returns.md': '# Returns\n\nA customer may send a parcel back within thirty days.\n',
      'docs/old/returns.md': '# Returns before the merger\n\nParcels went to the depot in Brno.\n',
      'docs/couriers.md': `# Couriers\n\n${'Couriers wear a blue vest.\n\n'.repeat(120)}## Bicycles\n\nThe bicycle courier takes a parcel of two kilograms.\n`,
    },
  })
  await desk.run('memory_update', {})
})
afterAll(() => desk.close())

const caseOf = <K extends TestCase['kind']>(kind: K, fields: object): CaseOf<K> =>
  testCaseFields.parse({ kind, name: 'a case', ...fields }) as CaseOf<K>

let users = 0

const retrieval = (fields: object): Promise<CaseResult> =>
  orBroken(() => runRetrievalCase(desk.context(), caseOf('retrieval', fields)))
const decision = (fields: object): Promise<CaseResult> =>
  orBroken(() => runDecisionCase(desk.context(), caseOf('decision', fields)))
const context = (fields: object): Promise<CaseResult> =>
  orBroken(() => runContextCase(desk.context(), caseOf('context', fields)))
/** Runs each case as a different user, because the desk keeps its state. */
const memory = (
  fields: object,
  { model, signal }: { model?: string; signal?: AbortSignal } = {},
  ctx: Partial<Context> = {},
): Promise<CaseResult> =>
  orBroken(() =>
    runMemoryCase(
      desk.context({ user: `nobody ${users++}`, ...(signal && { signal }), ...ctx }),
      caseOf('memory', fields),
      model,
    ),
  )

const founds = ({ checks }: CaseResult): (string | undefined)[] => checks.map(({ found }) => found)

describe('retrieval', () => {
  const query = 'may a customer send a parcel back'

  test('a hit is named by its id, relative or absolute path, path suffix, collection or lines', async () => {
    const { results } = (await desk.run('memory_query', { query })) as { results: { id: string; path: string }[] }
    const { id, path } = results.find((hit) => hit.path.endsWith('docs/returns.md'))!
    const names = [
      id,
      `#${id}`,
      path,
      'docs/returns.md',
      './docs/returns.md',
      'shop/docs/returns.md',
      'docs/returns.md:1-3',
      `${id}:3`,
    ]
    const result = await retrieval({ query, wanted: names })
    expect(founds(result)).toEqual(names.map(() => 'at 1'))
    expect(result.outcome).toBe('passed')
  })

  test('a path suffix consists of whole names, and an exact path matches only that file', async () => {
    const result = await retrieval({ query: 'parcel', wanted: ['old/returns.md', 'eturns.md'], at: 20 })
    expect(result.checks.map(({ passed }) => passed)).toEqual([true, false])
    expect(result.checks[1]!.found).toContain('nothing by that name is in the index')
    const exact = await retrieval({
      query: 'depot in Brno',
      wanted: ['docs/old/returns.md'],
      forbidden: ['docs/returns.md'],
      at: 1,
    })
    expect(exact.outcome).toBe('passed')
  })

  test('a decision is found by D and number, regardless of the notation', async () => {
    const asked = { query: 'which datastore do we use for orders', at: 5 }
    const names = ['D2', 'D002', 'd2', 'decision 2', 'decision-002']
    const result = await retrieval({ ...asked, wanted: names })
    expect(result.checks.filter(({ passed }) => !passed)).toEqual([])
    const unknown = await retrieval({ ...asked, wanted: ['D99'] })
    expect(unknown).toMatchObject({ outcome: 'failed', checks: [{ passed: false }] })
    expect(unknown.checks[0]!.found).toContain('nothing by that name')
  })

  test('a miss reports the rank of the wanted hit and the hits shown instead', async () => {
    const result = await retrieval({ query: 'couriers with a blue vest', wanted: ['docs/returns.md'], at: 1 })
    expect(result.outcome).toBe('failed')
    expect(result.checks[0]!.found).toMatch(
      /^(?:only at \d+|not among the first 100); the first 1: 1\. docs\/couriers\.md:\d+-\d+$/,
    )
  })

  test('lines that a hit does not show count as a miss, which reports the shown lines', async () => {
    const bicycles = await retrieval({
      query: 'bicycle courier two kilograms',
      wanted: ['docs/couriers.md:244-246'],
      at: 3,
    })
    expect(bicycles.outcome).toBe('passed')
    const result = await retrieval({
      query: 'bicycle courier two kilograms',
      wanted: ['docs/couriers.md:9000-9001'],
      at: 3,
    })
    expect(result.checks[0]!.found).toMatch(/^only with other lines, at 1 \(\d+-\d+\)/)
  })

  test('a forbidden hit fails with its rank, and finding fewer than all may be enough', async () => {
    const forbidden = await retrieval({ query, forbidden: ['docs/returns.md', 'docs/never.md'] })
    expect(forbidden.outcome).toBe('failed')
    expect(founds(forbidden)).toEqual(['at 1: docs/returns.md:1-3', 'nothing by that name is in the index'])
    const some = await retrieval({ query, wanted: ['docs/returns.md', 'docs/never.md'], least: 1 })
    expect(some).toMatchObject({
      outcome: 'passed',
      checks: [{ expects: 'finds at least 1 of 2 documents among the first 10' }],
    })
    const all = await retrieval({ query, wanted: ['docs/returns.md', 'docs/never.md'], least: 2 })
    expect(all.checks[0]!.found).toMatch(
      /^1: docs\/returns\.md at 1, docs\/never\.md nothing by that name is in the index; the first 10: /,
    )
  })

  test('only requested origins count, and an unknown one breaks the case', async () => {
    const only = await retrieval({ query: 'parcel', origin: ['decision'], forbidden: ['docs/returns.md'] })
    expect(only.outcome).toBe('passed')
    const broken = await retrieval({ query, origin: ['rumour'], wanted: ['docs/returns.md'] })
    expect(broken).toMatchObject({ outcome: 'broken' })
    expect(founds(broken)[0]).toContain('must be one of decision')
  })

  test.each([
    [{ wanted: ['a'], least: 2 }, 'can never pass'],
    [{ wanted: ['a'], least: 0 }, 'expects nothing'],
  ])('%o is a broken case', async (fields, why) => {
    const result = await retrieval({ query, ...fields })
    expect([result.outcome, founds(result)[0]]).toEqual(['broken', expect.stringContaining(why)])
  })

  test('the answer is the list that an agent receives, in its order', async () => {
    const { results } = (await desk.run('memory_query', { query })) as { results: { path: string }[] }
    const { answer } = await retrieval({ query, wanted: ['docs/returns.md'], at: 3 })
    const lines = answer.split('\n')
    expect(lines).toHaveLength(results.length)
    expect(lines[0]).toBe('1. docs/returns.md:1-3')
  })
})

describe('decision', () => {
  const proposal = 'Keep orders in MongoDB'

  test('matches decisions by number, D number and title, and rejected alternatives by name', async () => {
    const result = await decision({
      proposal,
      surfaces: [2, 'D2', 'decision 002', 'use postgres as  the only datastore'],
      not_surfaces: ['Plan delivery routes nightly'],
      verdict: 'strong',
      rejected: ['mongodb'],
    })
    expect(result.checks.filter(({ passed }) => !passed)).toEqual([])
    expect(result).toMatchObject({
      outcome: 'passed',
      checks: [{ expects: 'shows D002 Use Postgres as the only datastore' }, {}, {}, {}, {}, {}, { found: 'by D002' }],
    })
    expect(result.answer).toContain('MongoDB')
  })

  test('a missing or extra decision is reported with the decisions shown', async () => {
    const result = await decision({
      proposal,
      surfaces: ['Plan delivery routes nightly'],
      not_surfaces: [2],
      verdict: 'none',
      rejected: ['Kafka', 'Mongo'],
    })
    expect(result.outcome).toBe('failed')
    expect(result.checks.map(({ passed }) => passed)).toEqual([false, false, false, false, false])
    expect(founds(result)).toEqual([
      expect.stringMatching(/^it shows D002 Use Postgres as the only datastore \(strong\)/),
      'at 1: D002 Use Postgres as the only datastore (strong)',
      'strong',
      'it names MongoDB (D002)',
      'it names MongoDB (D002)',
    ])
  })

  test('a decision that the proposal reintroduces is shown, and files surface the decisions that govern them', async () => {
    const back = await decision({
      proposal: 'Keep sessions in signed cookies',
      surfaces: ['Keep sessions in signed cookies'],
    })
    expect(back.outcome).toBe('passed')
    const file = await decision({
      proposal: 'Rename a helper',
      files: ['src/ledger/sum.ts'],
      surfaces: ['Money is an integer number of cents'],
    })
    expect(file.outcome).toBe('passed')
  })

  test.each([
    [99, 'No decision named "D099".'],
    ['Use a blockchain', 'No decision named "Use a blockchain".'],
  ])('a decision that is not in the record breaks the case: %s', async (ref, line) => {
    for (const field of ['surfaces', 'not_surfaces']) {
      const result = await decision({ proposal, [field]: [ref] })
      expect([result.outcome, founds(result)[0]]).toEqual(['broken', expect.stringContaining(line)])
    }
  })

  test('a case without a record is broken, and explains how to get one', async () => {
    const result = await orBroken(() =>
      runDecisionCase(
        desk.context({ record: () => Promise.reject(new Error('gone')) }),
        caseOf('decision', { proposal, verdict: 'none' }),
      ),
    )
    expect(result).toMatchObject({ outcome: 'broken', checks: [{ found: expect.stringContaining('gone') }] })
  })
})

describe('memory', () => {
  test('a plain user statement is stored without a model, and injected in another chat', async () => {
    const result = await memory({
      conversation: [
        'How many orders are there?',
        'From now on always show amounts in euros.',
        'I work in the finance team.',
      ],
      expected: [
        { category: 'global_rule', contains: ['euros'] },
        { category: 'personal_fact', contains: ['FINANCE  team'] },
      ],
      forbidden: ['orders'],
      most: 2,
      next: { injected: ['euros', 'finance'], not_injected: ['orders'] },
    })
    expect(result.checks.filter(({ passed }) => !passed)).toEqual([])
    expect(result.outcome).toBe('passed')
  })

  test('a missing, extra or forbidden memory is reported with the stored memories', async () => {
    const result = await memory({
      conversation: ['Always show amounts in euros.'],
      expected: [{ contains: ['dollars'] }, { category: 'personal_fact', contains: ['euros'] }],
      forbidden: ['EUROS'],
      most: 0,
      next: { injected: ['dollars'], not_injected: ['euros'] },
    })
    expect(result.checks.map(({ passed }) => passed)).toEqual([false, false, false, false, false, false])
    for (const found of founds(result)) expect(found).toContain('euros')
  })

  test('given memories exist before the conversation, which can remove one', async () => {
    const result = await memory({
      given: [
        { content: 'Always show amounts in dollars.' },
        { category: 'personal_fact', content: 'I work in the finance team.' },
      ],
      conversation: ['Forget that I work in the finance team.'],
      expected: [{ category: 'global_rule', contains: ['dollars'] }],
      forbidden: ['finance'],
      next: { injected: ['dollars'], not_injected: ['finance'] },
    })
    expect(result.checks.filter(({ passed }) => !passed)).toEqual([])
  })

  test('a prompt tests the whole turn: memories, decisions and tables', async () => {
    const result = await memory({
      conversation: ['From now on always show amounts in euros.'],
      next: {
        prompt: 'Should orders be kept in MongoDB or in Postgres?',
        injected: ['euros', 'Use Postgres as the only datastore', 'orders'],
        not_injected: ['kubernetes'],
      },
    })
    expect(result.checks.filter(({ passed }) => !passed)).toEqual([])
  })

  test('learning uses the named model, and its usage is counted', async () => {
    desk.model.requests.length = 0
    desk.model.reply = () =>
      JSON.stringify({
        instructions: [{ content: 'Round to whole numbers.', evidence: 'please always round to whole numbers' }],
        facts: [],
        forget: [],
      })
    const conversation = ['please always round to whole numbers']
    const result = await memory(
      { conversation, expected: [{ contains: ['Round to whole numbers.'] }] },
      { model: 'compatible:scripted' },
    )
    expect(result.checks.filter(({ passed }) => !passed)).toEqual([])
    expect(desk.model.requests).toHaveLength(1)
    expect(result.usage.input).toBeGreaterThan(100)
    desk.model.reply = () => ({ fail: 400 })
    const unheard = await memory({ conversation, most: 0 }, { model: 'compatible:scripted' })
    expect(unheard).toMatchObject({
      outcome: 'broken',
      checks: [{ found: expect.stringContaining('The model did not answer') }],
    })
  })

  test('every case has a separate user, and none is the user of this machine', async () => {
    await Promise.all(
      [1, 2, 3].map((n) => memory({ conversation: [`Always answer with ${n} words, no more.`], most: 1 })),
    )
    const { memories } = await desk.state()
    expect(await memories.active(desk.context().user)).toEqual([])
    const again = await memory({ conversation: ['How many orders are there?'], most: 0 })
    expect(again.outcome).toBe('passed')
  })

  test('runs although the user has memories off; a project with memory off breaks the case', async () => {
    const fields = { conversation: ['Always show amounts in euros.'], next: { injected: ['euros'] } }
    for (const name of ['memory.learn', 'memory.use']) await desk.run('config_set', { name, value: 'false' })
    const own = await memory(fields)
    expect(own.checks.filter(({ passed }) => !passed)).toEqual([])
    const config = readFileSync(join(desk.folder, 'ken.yaml'), 'utf8')
    desk.write('ken.yaml', `${config}memory: false\n`)
    const off = await memory(fields)
    desk.write('ken.yaml', config)
    expect([off.outcome, founds(off)[0]]).toEqual(['broken', expect.stringContaining('Memory is off for this project')])
  })

  test('rejects with the code stopped if it is aborted', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(
      memory({ conversation: ['Always use euros.'], most: 0 }, { signal: stop.signal }),
    ).rejects.toMatchObject({ code: 'stopped' })
  })
})

describe('context', () => {
  const task = 'where do we keep orders, and may it be MongoDB'

  test('facts that are found name their source, and the brief stays within its budget', async () => {
    const result = await context({
      budget: 1500,
      for: task,
      facts: ['use  POSTGRES as the only datastore'],
      forbidden: ['kubernetes'],
    })
    expect(result.checks.filter(({ passed }) => !passed)).toEqual([])
    expect(founds(result)).toEqual([
      expect.stringMatching(/^[\d,]+ tokens, \d+ lines$/),
      expect.stringContaining('Use Postgres as the only datastore'),
      undefined,
    ])
    expect(result.answer).toContain('Use Postgres as the only datastore')
  })

  test('a fact that did not fit is distinguished from one that was never recorded', async () => {
    const fact = 'Couriers wear a blue vest.'
    const result = await context({ budget: 100, for: task, facts: [fact, 'unicorns deliver'], forbidden: ['Postgres'] })
    expect(result.outcome).toBe('failed')
    expect(result.checks.map(({ passed }) => passed)).toEqual([true, false, false, false])
    expect(founds(result)[2]).toContain('in no brief, however large')
    expect(founds(result)[3]).toContain('Postgres')
    const small = await context({
      budget: 100,
      facts: ['Plan delivery routes nightly', 'Money is an integer', 'RabbitMQ'],
    })
    expect(founds(small).some((found) => found?.includes('with more room it comes from'))).toBe(true)
  })
})

test('the example in a new context project passes immediately', async () => {
  const { cases } = readCases('example.yaml', readFileSync(join(desk.folder, 'tests/example.yaml'), 'utf8'))
  const results = await Promise.all(
    cases.map(({ test: one }) => runRetrievalCase(desk.context(), one as CaseOf<'retrieval'>)),
  )
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed'])
})
