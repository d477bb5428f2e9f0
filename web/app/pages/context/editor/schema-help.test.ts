import { describe, expect, it } from 'vitest'
import { schemaChoices, schemaHelp, type JsonSchema } from './schema-help.ts'

const SCHEMA: JsonSchema = {
  properties: {
    name: { type: 'string', description: 'What it is called.' },
    databases: {
      type: 'array',
      items: {
        properties: {
          name: { type: 'string' },
          type: { type: 'string', enum: ['duckdb', 'postgres'] },
          profiling: { properties: { days: { type: 'integer', default: 7, description: 'For refresh: interval.' } } },
        },
        /* oxlint-disable unicorn/no-thenable -- a word of JSON Schema */
        allOf: [
          { if: { properties: { type: { const: 'duckdb' } } }, then: { properties: { path: { type: 'string' } } } },
          { if: { properties: { type: { const: 'postgres' } } }, then: { properties: { host: { type: 'string' } } } },
        ],
      },
    },
    /* oxlint-enable unicorn/no-thenable */
    dbt: { anyOf: [{ properties: { path: { type: 'string' } } }, { type: 'array', items: {} }] },
    memory: { anyOf: [{ type: 'boolean' }, { enum: ['on', 'off'] }] },
  },
}

/** `|` marks the cursor. */
const choices = (text: string) => {
  const at = text.indexOf('|')
  return schemaChoices(text.replace('|', ''), at, SCHEMA)?.choices.map(({ label }) => label)
}
const help = (text: string) => schemaHelp(text.replace('|', ''), text.indexOf('|'), SCHEMA)

describe('completions in ken.yaml', () => {
  it('are the fields not used yet', () => {
    expect(choices('name: shop\n|')).toEqual(['databases', 'dbt', 'memory'])
    expect(choices('|\nname: shop\ndbt:\n  path: x\n')).toEqual(['databases', 'memory'])
  })

  it('are the fields of the entry at the cursor, by its type', () => {
    expect(choices('databases:\n  - name: a\n    type: duckdb\n    |')).toEqual(['profiling', 'path'])
    expect(choices('databases:\n  - name: a\n    type: duckdb\n  - name: b\n    type: postgres\n    |\n')).toEqual([
      'profiling',
      'host',
    ])
    expect(choices('databases:\n  - |')).toEqual(['name', 'type', 'profiling'])
    expect(choices('databases:\n  - name: a\n    profiling:\n      |')).toEqual(['days'])
    expect(choices('dbt:\n  |')).toEqual(['path'])
  })

  it('are the allowed values of a field', () => {
    expect(choices('databases:\n  - name: a\n    type: d|')).toEqual(['duckdb', 'postgres'])
    expect(choices('memory: |')).toEqual(['true', 'false', 'on', 'off'])
    expect(choices('name: |')).toBeUndefined()
    expect(choices('# a comm|ent')).toBeUndefined()
  })

  it('help is shown for the field under the pointer', () => {
    expect(help('na|me: shop')).toBe('What it is called.')
    expect(help('databases:\n  - name: a\n    profiling:\n      da|ys: 3')).toBe('For refresh: interval. 7 by default.')
    expect(help('databases:\n  - ty|pe: duckdb')).toBe('One of duckdb, postgres.')
    expect(help('data|bases:')).toBe('Fields: name, type, profiling.')
    expect(help('unknown|: x')).toBeUndefined()
    expect(help('name: sh|op')).toBeUndefined()
  })
})
