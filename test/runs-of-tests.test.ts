import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectKey } from '../src/analyst/operations/project-key.ts'
import { openKen, type Ken } from '../src/app/open.ts'
import { openConfigFiles } from '../src/context/adapters/disk-config-files.ts'
import { readRunReport } from '../src/evaluation/domain/read-run-report.ts'
import { summariseRun } from '../src/evaluation/domain/summary.ts'
import type { TestAttempt } from '../src/evaluation/domain/test-run.ts'
import { writeOutputs } from '../src/evaluation/write-outputs.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import { shopAttempts, shopReport, shopRun } from './sample-runs.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'ken-runs-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('test runs of a project', () => {
  let places = 0
  let ken: Ken
  let folder: string
  const context = (surface: 'cli' | 'http' = 'cli'): Context => ken.context({ origin: { surface }, cwd: folder })
  const operation = (name: string) => OPERATIONS.find((one) => one.name === name)!
  const answer = (name: string, input: object = {}, ctx = context()) => call(ctx, operation(name), { ...input })
  const text = async (name: string, input: object = {}): Promise<string> =>
    answerText(operation(name), { ...(await answer(name, input)), notice: '' }, 'pipe')

  beforeEach(() => {
    folder = join(base, `place-${++places}`)
    mkdirSync(folder)
    const home = join(base, `home-${places}`)
    ken = openKen({ ...process.env, HOME: home, KEN_HOME: join(home, '.ken'), KEN_TELEMETRY: '0' }, () => {})
  })
  afterEach(() => ken.close())

  async function keep(id: string, day: number, change?: (one: TestAttempt) => TestAttempt): Promise<void> {
    const ctx = context()
    const { runs } = await ctx.analystState()
    const made = shopRun(id, day, { user: ctx.user, project: await projectKey(ctx) })
    await runs.start(made)
    await Promise.all(shopAttempts(made, change).map((one) => runs.add(one)))
  }
  const allPassed = (one: TestAttempt): TestAttempt => ({ ...one, outcome: 'passed' })

  test('report that nothing was run yet, with the next step', async () => {
    expect(await text('test_runs')).toMatch(/^No tests were run here yet\./)
    await expect(answer('test_show')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('are listed, newest first', async () => {
    await keep('01K0AAAAAA0000000000000001', 1, allPassed)
    await keep('01K0BBBBBB0000000000000001', 2)
    const lines = (await text('test_runs')).split('\n')
    expect(lines[0]).toMatch(/^01K0BBBBBB .*8 of 11 passed +72\.7% +1 broken +\$0\.0744 +66\.4 s +openai/)
    expect(lines[1]).toMatch(/^01K0AAAAAA .*12 of 12 passed +100%/)
    expect(await text('test_runs', { limit: 1 })).not.toContain('01K0AAAAAA')
  })

  test('are identified by id, id prefix or last', async () => {
    await keep('01K0AAAAAA0000000000000001', 1)
    await keep('01K0AABBBB0000000000000001', 2)
    const shown = async (named?: string) =>
      ((await answer('test_show', named === undefined ? {} : { run: named })).output as { run: { id: string } }).run.id
    expect(await shown()).toBe('01K0AABBBB0000000000000001')
    expect(await shown('LAST')).toBe('01K0AABBBB0000000000000001')
    expect(await shown('01k0aaa')).toBe('01K0AAAAAA0000000000000001')
    await expect(answer('test_show', { run: '01K0AA' })).rejects.toMatchObject({
      message: expect.stringContaining('Several runs start with'),
    })
    await expect(answer('test_show', { run: 'xyz' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('are shown with failures first, and the cells that differ', async () => {
    await keep('01K0AAAAAA0000000000000001', 1)
    const shown = await text('test_show')
    expect(shown).toContain('8 of 11 cases passed (72.7%), 3 failed, 1 broken.')
    expect(shown).toMatch(/failed, 1 of 3 {2}revenue by month of 2025 with openai:gpt-5-mini/)
    expect(shown).toMatch(/row 7 +revenue +104300 expected +104913\.4 found/)
    expect(shown).not.toContain('looks at the schema')
    expect(await text('test_show', { all: true })).toContain('looks at the schema')
  })

  test('a named case is shown in full', async () => {
    await keep('01K0AAAAAA0000000000000001', 1)
    const shown = await text('test_show', { case: ['SCHEMA'] })
    expect(shown).toContain('How many orders are open?')
    expect(shown).toContain('called execute_sql')
    expect(shown).not.toContain('revenue by month')
    expect(await text('test_show', { case: ['nothing'] })).toContain('No case of it has these words.')
  })

  test('a whole id selects one case, and brief leaves out prompts', async () => {
    await keep('01K0AAAAAA0000000000000001', 1)
    const { output } = await answer('test_show', { all: true, brief: true })
    const all = output['cases'] as { case: string; attempts: { prompt: string; calls: unknown[] }[] }[]
    expect(all.flatMap(({ attempts }) => attempts.map(({ prompt }) => prompt)).join('')).toBe('')
    const [first] = all.map((one) => one.case)
    const one = (await answer('test_show', { case: [first!] })).output['cases'] as { case: string }[]
    expect(new Set(one.map((each) => each.case))).toEqual(new Set([first]))
  })

  test('the strip shows the result of each case in each run', async () => {
    await keep('01K0AAAAAA0000000000000001', 1, allPassed)
    await keep('01K0BBBBBB0000000000000001', 2)
    const { output } = await answer('test_runs', { cases: true })
    const cases = output['cases'] as { name: string; model: string }[]
    const runs = output['runs'] as { verdicts: string[] }[]
    const at = cases.findIndex(({ name, model }) => name === 'revenue by month of 2025' && model.startsWith('openai'))
    expect(runs.map(({ verdicts }) => verdicts[at])).toEqual(['failed', 'passed'])
    expect(runs.every(({ verdicts }) => verdicts.length === cases.length)).toBe(true)
    expect(await text('test_runs', { cases: true })).toMatch(/^✓✗ +revenue by month of 2025 \(openai:gpt-5-mini\)$/m)
    expect(output['runs']).not.toHaveProperty('0.broken')
    expect((await answer('test_runs')).output).not.toHaveProperty('cases')
  })

  test('model output is labelled as untrusted', async () => {
    await keep('01K0AAAAAA0000000000000001', 1)
    expect((await answer('test_show')).output['label']).toContain('untrusted')
  })

  test('are compared with the previous run, or with a report', async () => {
    await keep('01K0AAAAAA0000000000000001', 1, allPassed)
    await keep('01K0BBBBBB0000000000000001', 2)
    expect(await text('test_show', { baseline: 'last' })).toContain(
      'Compared with run 01K0AAAAAA0000000000000001: 4 regressions',
    )
    await answer('test_report', { run: '01K0AAA', output: 'base.json' })
    expect(await text('test_show', { baseline: './base.json' })).toContain('4 regressions')
    await expect(answer('test_show', { run: '01K0AAA', baseline: 'last' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(answer('test_show', { baseline: './none.json' })).rejects.toMatchObject({ code: 'not_found' })
    writeFileSync(join(folder, 'base.json'), '{"generator":"ken test","version":1}')
    await expect(answer('test_show', { baseline: './base.json' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('over HTTP no file is read or written for a caller', async () => {
    await keep('01K0AAAAAA0000000000000001', 1)
    await expect(answer('test_show', { baseline: './base.json' }, context('http'))).rejects.toMatchObject({
      code: 'forbidden',
    })
    const { output } = await answer('test_report', { format: 'junit', output: 'junit.xml' }, context('http'))
    expect(output['text']).toMatch(/^<\?xml/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('are reported in the format of the file extension, and an existing file is not replaced', async () => {
    await keep('01K0AAAAAA0000000000000001', 1)
    for (const [file, beginning] of [
      ['tests.html', '<!doctype html>'],
      ['tests.xml', '<?xml version="1.0"'],
      ['tests.md', '### ❌ Tests'],
      ['tests.json', '{\n "generator": "ken test"'],
    ] as const) {
      expect(await text('test_report', { output: file })).toContain(file)
      expect(readFileSync(join(folder, file), 'utf8').startsWith(beginning)).toBe(true)
    }
    await expect(answer('test_report', { output: 'tests.md' })).rejects.toMatchObject({ code: 'conflict' })
    await answer('test_report', { output: 'tests.md', format: 'json', force: true })
    expect(readRunReport('x', readFileSync(join(folder, 'tests.md'), 'utf8')).cases).toHaveLength(12)
    expect(await text('test_report')).toMatch(/^### ❌ Tests: 8 of 11/)
  })

  test('a secret in model output is in no answer and no report', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    await keep('01K0AAAAAA0000000000000001', 1, (one) => ({ ...one, answer: `The key is ${token}.` }))
    await answer('test_report', { output: 'tests.html' })
    expect(readFileSync(join(folder, 'tests.html'), 'utf8')).not.toContain(token)
    expect(JSON.stringify(await answer('test_show', { all: true }))).not.toContain(token)
  })
})

describe('the output of a run', () => {
  const files = openConfigFiles(join(base, 'locks'))
  let roots = 0
  const freshRoot = (): string => {
    const root = join(base, `root-${++roots}`)
    mkdirSync(join(root, 'tests'), { recursive: true })
    return root
  }

  test('is written to outputs, which git ignores, and the next run adds to it', async () => {
    const root = freshRoot()
    const report = shopReport()
    const place = { root, within: 'tests' }
    expect(await writeOutputs(files, place, report)).toEqual([
      'tests/outputs/2026-05-14T09-30-00-00LAST.json',
      'tests/outputs/junit.xml',
      'tests/outputs/report.html',
    ])
    const later = { ...report.summary.run, id: '01K0TESTSRUN00000000SECOND', startedAt: '2026-05-15T00:00:00.000Z' }
    await writeOutputs(files, place, { ...report, summary: summariseRun(later, []) })
    expect(readdirSync(join(root, 'tests/outputs')).toSorted()).toEqual([
      '.gitignore',
      '2026-05-14T09-30-00-00LAST.json',
      '2026-05-15T00-00-00-SECOND.json',
      'junit.xml',
      'report.html',
    ])
    expect(readFileSync(join(root, 'tests/outputs/.gitignore'), 'utf8')).toBe('*\n')
    expect(readFileSync(join(root, 'tests/outputs/report.html'), 'utf8')).toContain('0 of 0 cases')
  })

  test.each([
    ['outputs', (root: string, away: string) => symlinkSync(away, join(root, 'tests/outputs'))],
    [
      'the folder of tests',
      (root: string, away: string) => {
        rmSync(join(root, 'tests'), { recursive: true })
        symlinkSync(away, join(root, 'tests'))
      },
    ],
    [
      'a file in it',
      (root: string, away: string) => {
        mkdirSync(join(root, 'tests/outputs'))
        symlinkSync(join(away, 'theirs'), join(root, 'tests/outputs/.gitignore'))
      },
    ],
  ])('is never written elsewhere if a clone has made %s a link', async (_what, link) => {
    const root = freshRoot()
    const away = join(base, `away-${roots}`)
    mkdirSync(away)
    writeFileSync(join(away, 'theirs'), 'as it was')
    link(root, away)
    await expect(writeOutputs(files, { root, within: 'tests' }, shopReport())).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(readdirSync(away)).toEqual(['theirs'])
    expect(readFileSync(join(away, 'theirs'), 'utf8')).toBe('as it was')
    expect(existsSync(join(root, 'tests/outputs/report.html'))).toBe(false)
  })
})
