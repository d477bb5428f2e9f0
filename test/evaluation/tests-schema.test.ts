import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { contextDefinitions } from '../../src/app/providers.ts'
import { scaffoldFiles } from '../../src/context/domain/context-project/scaffold.ts'
import { readCases } from '../../src/evaluation/domain/read-cases.ts'
import { newTestFiles } from '../../src/evaluation/domain/tests-schema.ts'
import {
  isTestsSchema,
  schemaLine,
  testsJsonSchema,
  testsSchemaText,
} from '../../src/evaluation/domain/tests-schema.ts'
import { openContextDesk, type ContextDesk } from '../context/context-desk.ts'

// Editors check case files by the schema, Ken by its own reader: both must accept the same files.

const schema = testsJsonSchema() as never
const validators = {
  ajv: new AjvJsonSchemaValidator().getValidator(schema),
  cfworker: new CfWorkerJsonSchemaValidator().getValidator(schema),
}

const GOOD: Readonly<Record<string, string>> = {
  'a list of every kind': `
- { kind: sql, name: a, prompt: How many?, sql: select 1, compare: { relative: 0.01, columns: { total: { absolute: 1 } } } }
- { kind: answer, name: b, prompt: How many?, assert: [{ contains: "12" }, { number: { value: 12, decimals: 1 } }], need: any, runs: 3 }
- { kind: action, name: c, prompt: How many?, called: [execute_sql], most_calls: 3 }
- { kind: retrieval, name: d, query: refunds, wanted: [D12, docs/a.md], least: 1, at: 5, tags: [slow] }
- { kind: decision, name: e, proposal: Use Redis, surfaces: [2, Use Postgres], verdict: strong }
- { kind: memory, name: f, conversation: [Always use euros.], expected: [{ category: global_rule, contains: [euros] }], next: { injected: [euros] } }
- { kind: context, name: g, budget: 2000, for: a task, facts: [Postgres] }
`,
  'one alone': 'kind: retrieval\nquery: refunds\nwanted: [D12]\n',
  'a list under cases': 'cases:\n  - { name: a, kind: context, budget: 500, facts: [x] }\n',
  'a case that leaves its kind to its fields': '- { name: a, query: refunds, forbidden: [docs/a.md] }\n',
}

const BAD: Readonly<Record<string, string>> = {
  'an unknown field': '- { kind: retrieval, name: a, query: x, wanted: [a], wnated: [b] }',
  'a field of another kind': '- { kind: retrieval, name: a, query: x, wanted: [a], proposal: x }',
  'an unknown kind': '- { kind: rumour, name: a, query: x, wanted: [a] }',
  'what must be there and is not': '- { kind: decision, name: a, verdict: none }',
  'a number where a text belongs': '- { kind: answer, name: a, prompt: 5, assert: [{ contains: x }] }',
  'a budget beyond all bounds': '- { kind: context, name: a, budget: 5, facts: [x] }',
  'an unknown verdict': '- { kind: decision, name: a, proposal: x, verdict: maybe }',
}

describe.each(Object.entries(validators))('%s', (_name, validate) => {
  test.each(Object.entries(GOOD))('accepts %s, as Ken does', (_what, text) => {
    const { broken, cases } = readCases('a.yaml', text)
    expect(broken).toEqual([])
    expect(cases.length).toBeGreaterThan(0)
    expect(validate(parse(text))).toMatchObject({ valid: true })
  })

  test.each(Object.entries(BAD))('rejects %s, as Ken does', (_what, text) => {
    expect(readCases('a.yaml', text).broken).toHaveLength(1)
    expect(validate(parse(text))).toMatchObject({ valid: false })
  })

  test('accepts the example of a new project, which names the schema in its first line', async () => {
    const files = scaffoldFiles('shop', await contextDefinitions(), newTestFiles())
    const text = files['tests/example.yaml']!
    expect(validate(parse(text))).toMatchObject({ valid: true })
    expect(text.startsWith(schemaLine('example.yaml'))).toBe(true)
    expect(files['tests/.schema.json']).toBe(testsSchemaText())
    const { broken, cases, drafts } = readCases('example.yaml', text)
    expect([broken, cases.length, drafts.length]).toEqual([[], 1, 2])
  })
})

test('the schema line has the relative path of the schema from any folder', () => {
  expect(schemaLine('a.yaml')).toBe('# yaml-language-server: $schema=.schema.json\n')
  expect(schemaLine('finance/march/a.yaml')).toBe('# yaml-language-server: $schema=../../.schema.json\n')
})

test('the reference has the same schema, identified as Ken’s', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/tests.schema.json'), 'utf8')
  expect(text).toBe(testsSchemaText())
  expect([isTestsSchema(text), isTestsSchema('{"title": "mine"}'), isTestsSchema('')]).toEqual([true, false, false])
})

describe('in a folder of tests', () => {
  let desk: ContextDesk
  beforeEach(() => {
    desk = openContextDesk()
  })
  afterEach(() => desk.close())
  const init = (): Promise<unknown> => desk.run('init_context', { name: 'shop' })

  test('a schema of an older Ken is updated, and one of another program is not', async () => {
    await init()
    expect(desk.read('tests/.schema.json')).toBe(testsSchemaText())
    desk.write('tests/.schema.json', '{\n  "title": "Test cases of Ken",\n  "type": "object"\n}\n')
    await init()
    expect(desk.read('tests/.schema.json')).toBe(testsSchemaText())
    desk.write('tests/.schema.json', '{"title": "mine"}')
    await init()
    expect(desk.read('tests/.schema.json')).toBe('{"title": "mine"}')
  })

  test('no example is added to a folder that already contains tests', async () => {
    desk.write('tests/singular.sql', 'select 1')
    await init()
    expect(readdirSync(desk.path('tests'))).toEqual(['singular.sql'])
  })

  test('a link in place of the schema is neither followed nor replaced', async () => {
    await init()
    desk.write('mine.json', '{ "title": "Test cases of Ken" }')
    rmSync(desk.path('tests/.schema.json'))
    symlinkSync('../mine.json', desk.path('tests/.schema.json'))
    await init()
    expect(desk.read('mine.json')).toBe('{ "title": "Test cases of Ken" }')
  })
})
