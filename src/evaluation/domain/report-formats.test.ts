import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attempt, run } from '../../../test/contract/analyst-samples.ts'
import { shopReport } from '../../../test/sample-runs.ts'
import { compareRuns } from './compare-runs.ts'
import { keptAttempt } from './kept-run.ts'
import { readRunReport } from './read-run-report.ts'
import { runReportFields } from './report-fields.ts'
import { reportHtml } from './report-html.ts'
import { reportJson } from './report-json.ts'
import { reportJunit } from './report-junit.ts'
import { reportMarkdown } from './report-markdown.ts'
import { pointOf, type RunReport } from './run-report.ts'
import { summariseRun } from './summary.ts'
import type { TestAttempt, TestRun } from './test-run.ts'

const done = (more: Partial<TestRun> = {}) => run('r1', { end: { at: 'z', reason: 'complete' }, ...more })
const reportOf = (attempts: readonly TestAttempt[], of = done()): RunReport => {
  const summary = summariseRun(of, attempts.map(keptAttempt))
  return { summary, comparison: undefined, history: [pointOf(summary)] }
}
// Includes control characters and lone surrogates.
const anyText = fc.array(fc.nat(0xffff), { maxLength: 60 }).map((codes) => String.fromCharCode(...codes))
const HOSTILE = `</script><img src=x onerror="alert(1)">]]>&'\u0000\u001b[31m\u202e\ud800 @everyone \`code\` | #1`

describe('JSON report', () => {
  test('reads back as the run it was written from', () => {
    const { summary } = shopReport()
    const read = readRunReport('baseline.json', reportJson(shopReport()))
    expect(read.total).toEqual(summary.total)
    expect(read.cases).toEqual(summary.cases)
    expect(read.run).toEqual({ ...summary.run, user: '', project: '', folder: '' })
    expect(compareRuns(summary, read)).toMatchObject({ regressions: [], added: [], gone: [], unchanged: 12 })
  })

  test('matches the documented schema and reveals nothing about the machine', () => {
    const text = reportJson(shopReport())
    expect(runReportFields.safeParse(JSON.parse(text)).error).toBeUndefined()
    expect(text).not.toContain('/shop/tests')
    expect(text).not.toContain('"local"')
  })

  test('reads back with any texts and cells', () => {
    const cell = fc.oneof(fc.string(), fc.double(), fc.bigInt(), fc.boolean(), fc.constant(null))
    const text = anyText
    fc.assert(
      fc.property(text, text, fc.array(cell, { maxLength: 6 }), fc.nat(5), (name, answer, cells, total) => {
        const difference = {
          reason: answer,
          columns: [{ expected: name, found: null }],
          cells: cells.map((found) => ({ column: name, row: 1, expected: null, found })),
          total,
          missing: 1,
          extra: 0,
          missingRows: [cells],
          extraRows: [],
        }
        const checks = [{ expects: name, passed: false, found: answer, difference }]
        const report = reportOf([attempt(`f/${name}`, { name, answer, checks, outcome: 'failed' })])
        expect(readRunReport('x', reportJson(report)).cases).toEqual(report.summary.cases)
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    ['no JSON', '{', 'no JSON'],
    ['a list', '[]', 'says nothing of one'],
    ['the JSON of another program', '{"generator":"jest","version":1}', 'says nothing of one'],
    ['one with a field too many', withRun('{"evil":1}'), 'run'],
    [
      'one whose outcome is none',
      reportJson(shopReport()).replace('"outcome": "failed"', '"outcome": "great"'),
      'outcome',
    ],
    [
      'one with a name for a number',
      reportJson(shopReport()).replace(/"planned": \d+/, '"planned": "9"'),
      'run.planned',
    ],
    ['one with a text without end', reportJson(shopReport()).replace('March of', 'x'.repeat(300_000)), 'answer'],
  ])('rejects %s in one line', (_what, text, fault) => {
    const thrown = caught(() => readRunReport('clone/base\u001bline.json', text))
    expect(thrown).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(fault) })
    expect(thrown.message).not.toMatch(/\n|\u001b/)
  })

  test('is rejected if it is from a newer Ken', () => {
    const text = reportJson(shopReport()).replace('"version": 1', '"version": 2')
    expect(caught(() => readRunReport('x.json', text)).message).toContain('newer Ken')
  })

  test('recomputes verdicts from the tries', () => {
    const text = reportJson(shopReport()).replaceAll('"verdict": "failed"', '"verdict": "passed"')
    expect(readRunReport('x.json', text).total).toEqual(shopReport().summary.total)
  })
})

function withRun(run: string): string {
  return JSON.stringify({ ...(JSON.parse(reportJson(shopReport())) as object), run: JSON.parse(run) as unknown })
}

function caught(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

describe('JUnit XML report', () => {
  test('has a suite per file, with failures, errors and skipped cases', () => {
    const xml = reportJunit(shopReport())
    expect(xml).toContain('<testsuites name="ken test" tests="13" failures="3" errors="2" skipped="0"')
    expect(xml).toContain('<testsuite name="finance/orders.yaml" tests="8" failures="2" errors="0"')
    expect(xml).toContain('<testsuite name="drafts/new.yaml" tests="1" failures="0" errors="1"')
    expect(xml).toContain('row 7, revenue: 104300 expected, 104913.4 found')
    expect(xml).toContain('name="revenue by month of 2025 [openai:gpt-5-mini]"')
  })

  test('marks cases that were not run as skipped', () => {
    const stopped = run('r1', { runs: 2, planned: 9, end: { at: 'z', reason: 'budget' } })
    const xml = reportJunit(reportOf([attempt('a')], stopped))
    expect(xml).toContain('tests="2" failures="0" errors="0" skipped="2"')
    expect(xml).toContain('8 tries were not made')
  })

  test('contains no character that XML cannot represent, and no injected tag', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const name = `${given}${HOSTILE}`
        const checks = [{ expects: name, passed: false, found: name }]
        const xml = reportJunit(
          reportOf([attempt(name, { name, file: name, answer: name, checks, outcome: 'failed' })]),
        )
        expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u)
        const tags = [...xml.matchAll(/<\/?([^\s/>]+)/g)].map(([, tag]) => tag)
        expect(tags.join(' ')).toBe('?xml testsuites testsuite testcase failure failure testcase testsuite testsuites')
        for (const [amp] of xml.matchAll(/&[^;]{0,7};?/g)) expect(amp).toMatch(/^&(?:amp|lt|gt|quot|#\d+);$/)
      }),
    )
  })
})

describe('Markdown report', () => {
  test('begins with the result and lists regressions first', () => {
    const text = reportMarkdown(shopReport())
    expect(text).toMatch(/^### ❌ Tests: 1 regression, 8 of 11 cases passed, 2 broken\n/)
    expect(text.indexOf('**Regressions**')).toBeLessThan(text.indexOf('**Failing as before'))
    expect(text).toContain(
      '- `finance/orders/revenue by month of 2025` with `openai:gpt-5-mini`: passed, 3 of 3 → failed, 1 of 3',
    )
    expect(text).toContain('- row 7, `revenue`: `104300` expected, `104913.4` found')
  })

  test('does not report a case that also failed in the baseline as a regression', () => {
    const summary = summariseRun(done(), [attempt('a', { outcome: 'failed' })])
    const same = { summary, comparison: compareRuns(summary, summary), history: [] }
    expect(reportMarkdown(same)).toMatch(/^### ✅ Tests: no regression/)
    expect(reportMarkdown({ ...same, comparison: undefined })).toMatch(/^### ❌/)
  })

  test('stays short even if everything fails, and reports what was left out', () => {
    const long = 'x'.repeat(1_000)
    const cells = Array.from({ length: 10 }, () => ({ column: long, row: 1, expected: long, found: long }))
    const difference = {
      reason: long,
      columns: [],
      cells,
      total: 10,
      missing: 0,
      extra: 0,
      missingRows: [],
      extraRows: [],
    }
    const checks = Array.from({ length: 5 }, () => ({ expects: long, passed: false, found: long, difference }))
    const attempts = Array.from({ length: 60 }, (_, index) =>
      attempt(`c${index}${long}`, { outcome: 'failed', checks }),
    )
    const text = reportMarkdown(reportOf(attempts))
    expect(text.length).toBeLessThan(60_000)
    expect(text).toContain('There is more in the report itself.')
    const few = reportMarkdown(reportOf(attempts.map((one) => ({ ...one, checks: [] }))))
    expect(few).toContain('- and 40 more')
  })

  test('puts every text of a run in code, without mentions or markup', () => {
    const checks = [{ expects: HOSTILE, passed: false, found: HOSTILE }]
    const attempts = [attempt(HOSTILE, { model: HOSTILE, outcome: 'failed', checks })]
    const broken = [{ file: HOSTILE, line: 1, name: HOSTILE, fault: HOSTILE }]
    const text = reportMarkdown(reportOf(attempts, done({ models: [HOSTILE], broken, commit: HOSTILE })))
    const outside = text.replaceAll(/`[^`\n]*`/g, '')
    expect(outside).not.toMatch(/@|<(?!\/?sub>)|onerror|#1/)
    expect(text).not.toMatch(/\u001b|\u202e|\u0000/)
  })
})

describe('HTML report', () => {
  test('escapes every text of a run', () => {
    const spoilt = (one: TestAttempt): TestAttempt => ({
      ...one,
      name: `${one.name}${HOSTILE}`,
      case: `${one.case}${HOSTILE}`,
      file: HOSTILE,
      tags: [HOSTILE],
      model: one.model === '-' ? '-' : `${one.model}${HOSTILE}`,
      prompt: HOSTILE,
      answer: HOSTILE,
      checks: one.checks.map((check) => ({ ...check, expects: HOSTILE, found: HOSTILE })),
      calls: one.calls.map((call) => ({ ...call, tool: HOSTILE, input: HOSTILE, result: HOSTILE })),
    })
    const page = reportHtml(shopReport(spoilt))
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page.match(/<style/g)).toHaveLength(1)
    expect(page).not.toMatch(/<img|\u001b|\u202e|\u0000/)
    // Attributes are inside tags; escaped text never forms a tag.
    for (const [tag] of page.matchAll(/<[a-z][^>]*>/g))
      expect(tag.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\s(?:on[a-z]+|style|src)=/)
  })

  test('makes no network requests', () => {
    const page = reportHtml(shopReport())
    expect(page).toContain(`default-src 'none'`)
    expect(page).not.toMatch(/https?:|src=|@import|url\(/)
  })

  test('is still a page for a run without cases', () => {
    expect(reportHtml(reportOf([], done({ planned: 0 })))).toContain('0 of 0 cases passed')
  })
})
