import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { diagnoseConfig } from './config-diagnostics.ts'
import { entryName, type ContextRules } from './source-rules.ts'

const RULES: ContextRules = {
  sources: [
    {
      key: 'dbt',
      kind: 'dbt',
      entries: 'list or one',
      config: z.strictObject({ name: entryName.default('dbt'), path: z.string(), token: z.string().optional() }),
      secrets: [],
      reach: () => [],
    },
  ],
  warehouses: [
    { type: 'duckdb', label: 'DuckDB', place: 'file', connection: z.strictObject({ path: z.string() }), secrets: [] },
  ],
}

const told = (text: string) =>
  diagnoseConfig(text, RULES).diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('diagnoseConfig', () => {
  it('reports nothing for a valid ken.yaml', () => {
    const { config, diagnostics } = diagnoseConfig(
      'name: shop\ndatabases:\n  - name: shop\n    type: duckdb\n    path: shop.duckdb\n',
      RULES,
    )
    expect(diagnostics).toEqual([])
    expect(config?.name).toBe('shop')
  })

  it('reports every fault with its line and column', () => {
    expect(
      told('name: shop\ntemplate: x\ndatabases:\n  - name: a b\n    type: duckdb\n    profiling:\n      days: many\n'),
    ).toEqual([
      expect.stringMatching(/^4:11 .*a name is letters/),
      expect.stringMatching(/^7:13 .*"days" must be a number/),
      expect.stringMatching(/^2:1 .*"template" is not known/),
    ])
  })

  it('names the entry with an invalid connection', () => {
    expect(
      told('name: shop\ndatabases:\n  - name: a\n    type: duckdb\n    path: a.db\n  - name: b\n    type: duckdb\n'),
    ).toEqual([expect.stringMatching(/^6:5 .*"path" is missing/)])
  })

  it('reports a plain secret in a list and in a single entry', () => {
    expect(told('name: s\ndbt:\n  - name: d\n    path: x\n    token: abcdefgh\n')).toEqual([
      expect.stringMatching(/^5:12 "token" contains a plain-text secret/),
    ])
    expect(told('name: s\ndbt:\n  path: x\n  token: abcdefgh\n')).toEqual([
      expect.stringMatching(/^4:10 "token" contains a plain-text secret/),
    ])
    expect(told('name: s\ndbt:\n  path: x\n  token: ${DBT_TOKEN}\n')).toEqual([])
  })

  it('reports every line that is not YAML', () => {
    const lines = told('name: "shop\ndatabases: [\n')
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).toContain('is not YAML')
  })

  it('reports only the size if parsing would take too long', () => {
    const keys = Array.from({ length: 7_000 }, (_, nth) => `key${nth}: x\n`).join('')
    expect(told(`name: s\n${keys}`)).toEqual([expect.stringContaining('1:1 ken.yaml: it is larger than 64 KB')])
    const many = `name: [${'1,'.repeat(25_000)}]`
    expect(told(many)).toEqual([expect.stringContaining('1:1 ken.yaml: it has more than 40,000 parts')])
  })

  it.each([['[[[['.repeat(4000)], ['a: '.repeat(9000)], ['x'.repeat(70_000)], ['- - - - '.repeat(500)], ['']])(
    'reports a fault for a nonsensical text',
    (text) => {
      expect(told(text).length).toBeGreaterThan(0)
    },
  )
})
