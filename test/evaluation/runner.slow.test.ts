import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testRun } from '../../src/evaluation/operations/test-run.ts'
import { openAnalystDesk, type AnalystDesk } from '../analyst/analyst-desk.ts'
import type { ModelRequest, ScriptedStep } from '../scripted-model.ts'

const CASES = `
- name: Orders
  kind: sql
  prompt: How many orders are there?
  sql: select count(*) as expected_number_of_orders from orders
  tags: [count]
- name: In words
  prompt: Say something about orders
  assert: [{ contains: orders }, { not_contains: secret sauce }]
- name: Looks before it asks
  kind: action
  prompt: Which tables are there?
  called: [list_tables]
  not_called: [execute_sql]
  tags: [tools]
`

/** Answers depending on the question: with an SQL statement, a tool call or text. */
const analyst =
  (statement: string) =>
  ({ user, answers }: ModelRequest): ScriptedStep => {
    const isFirst = answers.length === 0
    if (user.includes('How many orders'))
      return isFirst
        ? { call: { tool: 'execute_sql', input: { sql: statement } } }
        : 'There are as many as the query says.'
    if (user.includes('Which tables'))
      return isFirst ? { call: { tool: 'list_tables', input: {} } } : 'Orders and users.'
    return 'There are orders.'
  }

describe('ken test', () => {
  let desk: AnalystDesk
  beforeEach(async () => {
    desk = await openAnalystDesk()
    // Removes the sample tests of a new project.
    rmSync(join(desk.folder, 'tests'), { recursive: true })
    desk.write('tests/first.yaml', CASES)
  })
  afterEach(() => desk.close())

  const run = (input: Record<string, unknown> = {}): Promise<any> => desk.run('test_run', input)
  const failing = (output: any): string[] => output.cases.map((one: any) => `${one.name}: ${one.verdict}`)

  test('asks the analyst, compares its results, and never reveals the expected answer', async () => {
    desk.model.reply = analyst('select count(*) from orders')
    const output = await run()
    expect(failing(output)).toEqual([])
    expect(output.total).toMatchObject({ cases: 3, passed: 3, failed: 0, broken: 0, k: 1 })
    expect(testRun.exit(output)).toBe(0)
    expect(JSON.stringify(desk.model.requests)).not.toMatch(/expected_number_of_orders|secret sauce/)
  })

  test('fails with the cells that differ, and with its exit code', async () => {
    desk.model.reply = analyst('select count(*) + 1 from orders')
    const output = await run()
    expect(failing(output)).toEqual(['Orders: failed'])
    expect(output.cases[0].attempts[0].checks.find((check: any) => !check.passed).difference.cells).toHaveLength(1)
    expect(testRun.exit(output)).toBe(1)
  })

  test('compares tables strictly for a case, a project or a run', async () => {
    const sql = 'select amount, id from orders order by id limit 5'
    const cases = (strict: string) => `- name: Users\n  prompt: How many orders are there?\n  sql: ${sql}\n${strict}`
    desk.model.reply = analyst('select id, amount from (select * from orders order by id limit 5) order by id desc')
    const verdict = async (input: object = {}) => failing(await run({ select: ['users'], ...input }))
    desk.write('tests/first.yaml', cases(''))
    expect(await verdict()).toEqual([])
    expect(await verdict({ strict: true })).toEqual(['Users: failed'])
    desk.write('tests/first.yaml', cases('  strict: true\n'))
    expect(await verdict()).toEqual(['Users: failed'])
    desk.write('ken.yaml', `${readFileSync(join(desk.folder, 'ken.yaml'), 'utf8')}tests: { strict: true }\n`)
    desk.write('tests/first.yaml', cases('  strict: false\n'))
    expect(await verdict()).toEqual([])
    expect(await verdict({ strict: true })).toEqual(['Users: failed'])
    desk.write('tests/first.yaml', cases(''))
    expect(await verdict()).toEqual(['Users: failed'])
    desk.model.reply = analyst(sql)
    expect(await verdict()).toEqual([])
  })

  test('leaves no chat and no memory behind, and keeps the run', async () => {
    desk.model.reply = analyst('select count(*) from orders')
    await run()
    expect((await desk.run('chats_list', {}))['chats']).toEqual([])
    expect(readdirSync(join(desk.home, '.ken', 'apart'))).toEqual([])
    expect((await desk.run('test_runs', {}))['runs']).toHaveLength(1)
    const outputs = readdirSync(join(desk.folder, 'tests', 'outputs'))
    expect(outputs).toEqual(expect.arrayContaining(['.gitignore', 'junit.xml', 'report.html']))
  })

  test('distinguishes a broken case from a failed one, runs the others, and exits with 2', async () => {
    desk.model.reply = analyst('select count(*) from orders')
    desk.write(
      'tests/broken.yaml',
      '- name: Writes\n  prompt: How many orders are there?\n  sql: delete from orders\n- nme: x\n',
    )
    const output = await run()
    expect(failing(output)).toEqual(['Writes: broken'])
    expect(output.run.broken).toMatchObject([{ file: 'broken.yaml', line: 4 }])
    expect(output.total).toMatchObject({ passed: 3, broken: 2 })
    expect(testRun.exit(output)).toBe(2)
  })

  test('does not count a provider failure as an answer from the analyst, and reports its message', async () => {
    desk.model.reply = () => ({ fail: 400 })
    const output = await run({ select: ['in words'] })
    expect(failing(output)).toEqual(['In words: broken'])
    expect(output.cases[0].attempts[0].checks).toMatchObject([{ expects: 'can be run', passed: false }])
    expect(testRun.exit(output)).toBe(2)
  })

  test('selects by name, tag and kind, and lists the available ones if nothing matches', async () => {
    desk.model.reply = analyst('select count(*) from orders')
    expect((await run({ tag: ['tools'] })).total.cases).toBe(1)
    expect((await run({ select: ['in words'] })).total.cases).toBe(1)
    expect((await run({ kind: ['sql', 'action'] })).total.cases).toBe(2)
    await expect(run({ tag: ['nothing'] })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('count, tools'),
    })
  })

  test('reruns the cases that did not pass in a named run', async () => {
    desk.model.reply = () => 'I will say nothing of that.'
    const first = await run()
    desk.model.reply = analyst('select count(*) from orders')
    await run({ select: ['in words'] })
    const again = await run({ failed_in: first.run.id })
    expect(again.total).toMatchObject({ cases: 3, passed: 3 })
    await expect(run({ failed_in: again.run.id })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('failed in that run'),
    })
    await expect(run({ failed_in: 'NOTHING' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('tries a case k times, and reports how many passed', async () => {
    let asked = 0
    desk.model.reply = () => (++asked % 2 === 1 ? 'There are orders.' : 'I have no idea.')
    const output = await run({ select: ['in words'], runs: 4, threads: 1 })
    expect(output.total).toMatchObject({ k: 4, pass_at_1: 0.5, pass_at_k: 1, pass_all_k: 0, tries: 4 })
    expect(output.cases[0]).toMatchObject({ verdict: 'failed', passes: 2, tries: 4 })
  })

  test('fails only on cases that passed before if there is a baseline', async () => {
    desk.model.reply = analyst('select count(*) + 1 from orders')
    const before = await run()
    const same = await run({ baseline: before.run.id })
    expect([same.comparison.regressions.length, testRun.exit(same)]).toEqual([0, 0])
    desk.model.reply = () => 'I will say nothing of that.'
    const worse = await run({ baseline: before.run.id })
    expect(worse.comparison.regressions.map((one: any) => one.name)).toEqual(['In words', 'Looks before it asks'])
    expect(testRun.exit(worse)).toBe(1)
    const json = readdirSync(join(desk.folder, 'tests', 'outputs')).find((name) =>
      name.endsWith(`-${before.run.id.slice(-6)}.json`),
    )!
    const file = await run({ baseline: join('tests', 'outputs', json) })
    expect(file.comparison.before.id).toBe(before.run.id)
  })

  test('resumes a stopped run without asking any question twice', async () => {
    const stop = new AbortController()
    desk.model.reply = (request) => {
      if (request.user.includes('Which tables')) stop.abort()
      return analyst('select count(*) from orders')(request)
    }
    await expect(desk.run('test_run', { threads: 1 }, { signal: stop.signal })).rejects.toMatchObject({
      code: 'stopped',
      hint: expect.stringContaining('resume'),
    })
    desk.model.reply = analyst('select count(*) from orders')
    desk.model.requests.length = 0
    const output = await run({ resume: true })
    expect(output.total).toMatchObject({ passed: 3, tries: 3 })
    expect(desk.model.requests.every(({ user }) => user.includes('Which tables'))).toBe(true)
    await expect(run({ resume: true })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('stays within its budget, and reports skipped cases', async () => {
    desk.model.reply = analyst('select count(*) from orders')
    await desk.run('config_set', { name: 'model.prices', value: '999999/999999' })
    const output = await run({ max_cost: 0.000001, threads: 1 })
    expect(output.run.end).toBe('budget')
    expect(output.total.not_run).toBeGreaterThan(0)
    expect(output.notes.join(' ')).toContain('max-cost')
    expect(testRun.exit(output)).toBe(1)
  })

  test('requires a model before it starts if a case needs one', async () => {
    await expect(run({ model: ['nonsense'] })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('reports where to put a test if there is none', async () => {
    rmSync(join(desk.folder, 'tests'), { recursive: true })
    await expect(run()).rejects.toMatchObject({ code: 'not_found', hint: expect.stringContaining('tests/') })
    expect(existsSync(join(desk.folder, 'tests'))).toBe(false)
  })
})
