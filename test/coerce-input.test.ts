import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../src/kernel/domain/errors.ts'
import { toAppError } from '../src/kernel/domain/to-app-error.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { coerceInput, unwrapped } from '../src/operations/coerce-input.ts'
import type { Operation } from '../src/operations/operation.ts'

// Every field of every operation, by its schema alone: variants that models write for a value are read as the value. A
// new operation is covered once it is in the registry.

const NOW = Date.parse('2026-11-15T12:00:00Z')

interface Shape {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}

type Input = Record<string, unknown>

const read = (op: Operation, raw: unknown): Input =>
  op.input.parse(coerceInput(op, unwrapped(raw, op), NOW).input) as unknown as Input

const refusal = (op: Operation, raw: unknown): AppError => {
  try {
    coerceInput(op, unwrapped(raw, op), NOW)
  } catch (thrown) {
    return toAppError(thrown)
  }
  throw new Error('it was not refused')
}

const named = (name: string): Operation => OPERATIONS.find((op) => op.name === name)!

/** Valid values of a field. */
function samples(shape: Shape): unknown[] {
  if (shape.enum !== undefined) return [...shape.enum]
  if (shape.pattern !== undefined)
    return [['q_0123456789ab', 'v012'].find((text) => new RegExp(shape.pattern!).test(text))]
  if (shape.type === 'boolean') return [true, false]
  if (shape.type === 'number') return [1, 0.5]
  if (shape.type === 'integer') {
    const least = Math.max(shape.minimum ?? 0, 1)
    return [least, Math.max(least, Math.min(shape.maximum ?? 7, 7))]
  }
  if (shape.anyOf !== undefined) return samples(shape.anyOf[0]!)
  if (shape.type === 'object')
    return [Object.fromEntries(Object.entries(shape.properties!).map(([name, own]) => [name, samples(own)[0]]))]
  if (shape.type === 'array') {
    const items = samples(shape.items!)
    return [[items[0]], items.length > 1 ? items.slice(0, 2) : [items[0], items[0]]]
  }
  expect(shape.type).toBe('string')
  return ['some/words.md', 'Zwölf Boxkämpfer']
}

/** The same value in the forms in which models write it. */
function sloppy(shape: Shape, value: unknown): unknown[] {
  if (shape.enum !== undefined) {
    const text = String(value)
    return [text.toUpperCase(), ` ${text} `, text.replaceAll('_', '-'), text.replaceAll(/[_-]/g, ' '), [text]]
  }
  if (shape.type === 'boolean')
    return value === true ? ['true', 'True', 'YES', 'on', '1', 1, [true]] : ['false', 'FALSE', 'no', 'off', '0', 0]
  if (shape.type === 'number') return [String(value), [value]]
  if (shape.type === 'integer') return [String(value), ` ${value} `, `${value}.0`, [value], [String(value)]]
  if (shape.type !== 'array') return shape.type === 'object' ? [JSON.stringify(value)] : [[value]]
  const list = value as unknown[]
  const texts = list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return [
    JSON.stringify(list),
    ...(shape.items!.type === 'object'
      ? [texts]
      : [texts.join(','), texts.join(', '), texts.join('\n'), `['${texts.join("', '")}']`]),
    ...(list.length === 1 ? [list[0], texts[0]] : []),
    [...list, null],
  ]
}

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

describe.each(OPERATIONS.map((op) => [op.name, op] as const))('%s', (_name, op) => {
  const shape = z.toJSONSchema(op.input, { io: 'input' }) as Shape
  const properties = Object.entries(shape.properties ?? {})
  const least = Object.fromEntries((shape.required ?? []).map((name) => [name, samples(shape.properties![name]!)[0]]))

  test('accepts every field in every form of its type, under every spelling of its name', () => {
    for (const [field, own] of properties)
      for (const value of samples(own)) {
        const strict = op.input.parse({ ...least, [field]: value })
        for (const form of sloppy(own, value))
          expect({ field, form, read: read(op, { ...least, [field]: form }) }).toEqual({ field, form, read: strict })
        const { [field]: _own, ...others } = least
        for (const key of [
          camel(field),
          field.toUpperCase(),
          field.replaceAll('_', '-'),
          `${field.replace(/s$/, '')}s`,
        ])
          expect({ key, read: read(op, { ...others, [key]: value }) }).toEqual({ key, read: strict })
      }
  })

  test('treats null, an empty text and an empty list for an optional field as absent', () => {
    const strict = op.input.parse(least)
    for (const [field] of properties.filter(([name]) => shape.required?.includes(name) !== true))
      for (const nothing of [null, '', '  ', [], undefined])
        expect({ field, read: read(op, { ...least, [field]: nothing }) }).toEqual({ field, read: strict })
  })

  test('accepts its examples unchanged, wrapped once too often, and as JSON text', () => {
    for (const { input } of op.examples) {
      const strict = op.input.parse(input)
      const forms = [input, { input }, { arguments: input }, { args: JSON.stringify(input) }, { [op.name]: { input } }]
      for (const form of [...forms, JSON.stringify(input)])
        if (JSON.stringify(input) !== '{}') expect({ form, read: read(op, form) }).toEqual({ form, read: strict })
    }
  })

  test('rejects unknown fields, names the nearest ones, and drops nothing that has a meaning', () => {
    const error = refusal(op, { ...least, flavour: 'sour' })
    expect(error).toMatchObject({ code: 'invalid_input', message: `${op.name} takes no "flavour".` })
    expect(properties.length === 0 || properties.some(([field]) => error.hint!.includes(field))).toBe(true)
    expect(read(op, { ...least, flavour: null })).toEqual(op.input.parse(least))
  })
})

describe('alternative wordings', () => {
  test.each([
    [
      'memory_query',
      { q: 'x', max_results: '5', collections: 'a, b' },
      { query: 'x', limit: 5, collection: ['a', 'b'] },
    ],
    ['memory_query', { text: 'x', top_k: 3, type: 'Sessions' }, { query: 'x', limit: 3, origin: ['session'] }],
    ['memory_query', { query: 'x', origin: 'ALL', workspace: 'all' }, { query: 'x', workspace: 'all' }],
    ['memory_query', { query: 404 }, { query: '404' }],
    ['memory_query', { query: 'x', minScore: '0.5' }, { query: 'x', min_score: 0.5 }],
    ['memory_query', { query: 'x', start_date: '2026-01-01' }, { query: 'x', since: '2026-01-01' }],
    ['memory_get', { path: 'docs/a.md', startLine: '3', lines: '4' }, { id: 'docs/a.md', from_line: 3, max_lines: 4 }],
    ['memory_multi_get', { ids: ['a.md', 'b.md'] }, { pattern: 'a.md, b.md' }],
    ['memory_multi_get', { paths: 'a.md, b.md', maxBytes: '2 KB' }, { pattern: 'a.md, b.md', max_bytes: 2048 }],
    ['get_decision', { id: 'D42' }, { number: 42 }],
    ['get_decision', { decision: 'decision 42' }, { number: 42 }],
    ['get_decision', { number: 'D042' }, { number: 42 }],
    ['get_decision', { number: '#42' }, { number: 42 }],
    ['get_decision', { number: 'decisions/042-use-2fa.md' }, { number: 42 }],
    ['diff_since_last_session', { since: '7 days' }, { days: 7 }],
    ['diff_since_last_session', { days: '24h' }, { days: 1 }],
    ['diff_since_last_session', { days: '2026-11-10' }, { days: 6 }],
    ['search_decisions', { query: 'x', type: 'API design' }, { query: 'x', type: 'api_design' }],
    ['check_decision', { approach: 'x', paths: './a.ts, b.ts' }, { proposed_approach: 'x', files: ['./a.ts', 'b.ts'] }],
    [
      'propose_decision',
      { title: 't', why: 'w', alternatives: { Memcached: 'no persistence', NATS: 'one more thing to run' } },
      {
        title: 't',
        rationale: 'w',
        rejected: [
          { alternative: 'Memcached', reason: 'no persistence' },
          { alternative: 'NATS', reason: 'one more thing to run' },
        ],
      },
    ],
    [
      'propose_decision',
      { title: 't', rationale: 'w', rejected: ['Memcached: no persistence', { option: 'NATS', why: 'new' }] },
      {
        title: 't',
        rationale: 'w',
        rejected: [
          { alternative: 'Memcached', reason: 'no persistence' },
          { alternative: 'NATS', reason: 'new' },
        ],
      },
    ],
    [
      'propose_decision',
      { rationale: 'w', operation: 'Supersede', affected_decision_id: 42 },
      { rationale: 'w', operation: 'supersede', affected_decision_id: '42' },
    ],
    ['read_file', { file_path: 'a.md', start_line: 2, end_line: '4' }, { path: 'a.md', from: 2, to: 4 }],
    ['grep_files', { pattern: 'x', glob: '*.md' }, { pattern: 'x', files: '*.md' }],
    ['memory_write', { text: 'x', explanation: 'because', _meta: {} }, { content: 'x' }],
  ] as const)('%s %j', (name, said, meant) => {
    const op = named(name)
    expect(read(op, said)).toEqual(op.input.parse(meant))
  })

  test('a value above the maximum is read as the maximum, and reported', () => {
    const meant = coerceInput(named('memory_query'), { query: 'x', limit: '5000' }, NOW)
    expect(meant).toEqual({ input: { query: 'x', limit: 100 }, told: ['limit is at most 100, and was read as that.'] })
    expect(() => read(named('memory_query'), { query: 'x', limit: 0 })).toThrow()
  })

  test('"all" is accepted if it is a value', () => {
    expect(read(named('setup'), { client: 'ALL' })).toMatchObject({ client: 'all' })
  })
})

describe('ambiguous input is refused, with the one thing to change', () => {
  test.each([
    ['update_state', { text: 'x' }, '"text" may mean add or replace. Use the exact field name.'],
    ['memory_query', { query: 'x', q: 'y' }, '"query" and "q" both stand for query. Pass only query.'],
    [
      'memory_query',
      { query: 'x', limit: 3, max_results: 4 },
      '"limit" and "max_results" both stand for limit. Pass only limit.',
    ],
    ['grep_files', { path: 'x' }, 'grep_files takes no "path".'],
  ] as const)('%s %j', (name, said, line) => {
    if (name === 'grep_files') expect(read(named(name), { ...said, pattern: 'y' })).toMatchObject({ files: 'x' })
    else expect(refusal(named(name), said).line).toBe(line)
  })

  test('two keys with the same meaning and value count as one', () => {
    expect(read(named('memory_query'), { query: 'x', limit: 3, max_results: '3' })).toMatchObject({ limit: 3 })
  })

  test('several values for a single-value field are not joined', () => {
    expect(() => read(named('memory_get'), { ids: ['a', 'b'] })).toThrow()
    expect(() => read(named('get_decision'), { number: 'D1, D2' })).toThrow()
  })
})

describe('hostile input', () => {
  test('treats prototype keys like any other key', () => {
    const op = named('memory_query')
    for (const text of [
      '{"query":"x","__proto__":{"limit":5}}',
      '{"query":"x","constructor":{"a":1}}',
      '{"toString":"x"}',
    ])
      expect(() => read(op, JSON.parse(text))).toThrow()
    expect(({} as { limit?: number }).limit).toBeUndefined()
  })

  test('does not echo a secret', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const error = refusal(named('memory_query'), { query: 'x', [secret]: 'y' })
    expect(error.line).not.toContain(secret)
    expect(refusal(named('memory_query'), { query: 'x', token: secret }).line).not.toContain(secret)
  })

  test('handles long keys, deep texts and many fields immediately', () => {
    const op = named('propose_decision')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(refusal(op, { ['x'.repeat(1_000_000)]: 1 }).line.length).toBeLessThan(400)
    expect(() => read(op, { rationale: 'w', rejected: deep })).toThrow()
    expect(() => read(op, { rationale: 'w', rejected: `${'a:'.repeat(100_000)}` })).toThrow()
    expect(refusal(op, Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1]))).code).toBe(
      'invalid_input',
    )
    expect(() => read(named('get_decision'), { number: `decision${' '.repeat(100_000)}x` })).toThrow()
    expect(() => read(named('get_decision'), { number: `1-${'9'.repeat(190)}` })).toThrow()
    expect(read(op, { rationale: 'w', files_affected: ','.repeat(100_000) })).toMatchObject({ rationale: 'w' })
  })
})
