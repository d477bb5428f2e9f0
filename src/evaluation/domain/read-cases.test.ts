import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distinct, readCases } from './read-cases.ts'

const ONE = 'name: Orders\nkind: sql\nprompt: How many orders?\nsql: select count(*) from orders\n'
const fault = (text: string): string => readCases('a.yaml', text).broken[0]!.fault

describe('test file', () => {
  test('contains a list of cases, a single one, or a list under `cases`', () => {
    const listed = ONE.split('\n')
      .filter(Boolean)
      .map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`))
      .join('\n')
    for (const text of [
      ONE,
      listed,
      `cases:\n${listed
        .split('\n')
        .map((line) => `  ${line}`)
        .join('\n')}`,
    ])
      expect(readCases('a.yaml', text)).toMatchObject({ cases: [{ id: 'a/Orders', file: 'a.yaml' }], broken: [] })
  })

  test('needs no kind if the fields imply it, and a single case needs no name', () => {
    const kinds = {
      'prompt: x\nsql: select 1': 'sql',
      'prompt: x\nassert: [{ contains: y }]': 'answer',
      'prompt: x\ncalled: [execute_sql]': 'action',
      'query: x\nwanted: [D1]': 'retrieval',
      'proposal: x\nsurfaces: [1]': 'decision',
      'conversation: [x]\nforbidden: [y]': 'memory',
      'budget: 500\nfacts: [y]': 'context',
    }
    for (const [text, kind] of Object.entries(kinds))
      expect(readCases('deep/first.yml', text)).toMatchObject({
        cases: [{ id: 'deep/first/first', test: { kind, name: 'first' } }],
      })
  })

  test('returns the other cases if one is broken, and reports its line and fault', () => {
    const { cases, broken } = readCases(
      'a.yaml',
      `- name: A\n  promt: x\n  kind: answer\n- name: B\n  budget: 500\n  facts: [y]\n`,
    )
    expect(cases.map(({ test: { name } }) => name)).toEqual(['B'])
    expect(broken).toEqual([
      { file: 'a.yaml', line: 1, name: 'A', fault: '"promt" is not a field of it. Did you mean "prompt"?' },
    ])
  })

  test('reports each fault in one line', () => {
    expect(fault('- just words')).toBe('a case is a mapping with a name and a kind')
    expect(fault('name: x\nkind: answer\nprompt: y')).toBe('it expects nothing: say what must come of it')
    expect(fault('name: x\nkind: quiz\nprompt: y')).toContain('there is no kind "quiz"; it is one of sql, answer')
    expect(fault('name: x\nkidn: sql')).toBe('"kidn" is not a field of it. Did you mean "kind"?')
    expect(fault('name: x\npromt: y\nsql: z')).toBe('"promt" is not a field of it. Did you mean "prompt"?')
    expect(fault('name: x\ntags: [y]')).toContain('"kind" is missing; it is one of sql, answer')
    expect(fault('name: x\nprompt: y\nassert: contains')).toBe('"assert" must be a list')
    expect(fault('name: x\nprompt: y\nassert: [{ refuses: please }]')).toBe('"assert.0.refuses" must be true or false')
    expect(fault('name: [unclosed')).toContain('it is not YAML')
    expect(fault('a: &x [1]\nb: *x')).toBe('anchors and aliases are not allowed')
    expect(fault(`name: ${'['.repeat(100)}`)).toContain('nested deeper')
  })

  test('may contain drafts without expectations, which are not faults', () => {
    expect(readCases('a.yaml', '- name: x\n  kind: sql\n  prompt: y\n  sql: ""\n  tags: [draft]\n')).toEqual({
      cases: [],
      broken: [],
      drafts: [{ file: 'a.yaml', line: 1, name: 'x', draft: true }],
    })
  })

  test('may be empty', () => {
    for (const text of ['', '# nothing yet\n', '[]']) expect(readCases('a.yaml', text).broken).toEqual([])
  })

  test('is read without throwing, whatever it contains', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readCases('a.yaml', text)))
  })

  test('rejects a duplicate case name', () => {
    const twice = readCases('a.yaml', `- ${ONE.replaceAll('\n', '\n  ')}\n- ${ONE.replaceAll('\n', '\n  ')}`)
    expect(distinct(twice)).toMatchObject({
      cases: [{ line: 1 }],
      broken: [{ fault: 'there is another case of this name in line 1' }],
    })
  })

  test('changes the hash of a case with its content, but not with its position', () => {
    const hash = (text: string): string => readCases('a.yaml', text).cases[0]!.hash
    expect(hash(`# moved\n\n${ONE}`)).toBe(hash(ONE))
    expect(hash(ONE.replace('orders', 'customers'))).not.toBe(hash(ONE))
  })
})
