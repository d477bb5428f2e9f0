import { describe, expect, test } from 'vitest'
import { contextDefinitions } from '../../../app/providers.ts'
import { configJsonSchema } from './config.ts'
import { readConfig } from './read-config.ts'
import { fillReferences } from './references.ts'
import { distinctPaths, safeSegment, titleSegment } from './safe-segment.ts'
import { scaffoldFiles } from './scaffold.ts'
import { plainSecrets } from './secret-fields.ts'

const RULES = await contextDefinitions()

const faultOf = (text: string): string => {
  try {
    readConfig(text, RULES)
    return 'none'
  } catch (error) {
    return (error as { line: string }).line
  }
}

describe('ken.yaml', () => {
  test('fills in defaults', () => {
    expect(
      readConfig('name: shop\ndatabases:\n  - { name: shop, type: duckdb, path: shop.duckdb }\n', RULES).databases[0],
    ).toMatchObject({
      documents: ['columns', 'how_to_use', 'preview', 'profiling'],
      include: [],
      profiling: { refresh: 'interval', days: 7 },
      path: 'shop.duckdb',
    })
  })

  test('a database without rules for personal data inherits the project’s', () => {
    const { databases, entries } = readConfig(
      'name: shop\npersonal: { results: mask }\ndatabases:\n  - { name: a, type: sqlite, path: a.db }\n  - { name: b, type: sqlite, path: b.db, personal: show }\n',
      RULES,
    )
    expect(databases.map(({ personal }) => personal)).toMatchObject([{ default: 'mask', results: 'mask' }, 'show'])
    expect(entries[0]!.value).toBe(databases[0])
    expect(faultOf('name: shop\npersonal: { result: mask }')).toContain(
      '"result" is not known. Did you mean "results"?',
    )
  })

  test.each([
    ['nam: shop', 'ken.yaml: "nam" is not known. Did you mean "name"?'],
    ['name: shop\ndatabase: []', 'ken.yaml: "database" is not known. Did you mean "databases"?'],
    [
      'name: shop\nrepositories: [{ name: web, urll: x }]',
      'ken.yaml: repositories "web": "urll" is not known. Did you mean "url"?',
    ],
    ['name: shop\nslack: { pat: x }', 'ken.yaml: "pat" is not known. Did you mean "path"?'],
    ['name: shop\nslack: { path: x, since: 2026 }', 'ken.yaml: slack: "since" must be a string. Change its value.'],
    [
      'name: shop\nslack: [{ name: a, path: x, privat: all }]',
      'ken.yaml: slack "a": "privat" is not known. Did you mean "private"?',
    ],
    ['name: shop\ndatabases: [{ type: duckdb }]', 'ken.yaml: databases (number 1): "name" is missing. Add it.'],
    [
      'name: shop\ndatabases: [{ name: a, type: duckdb, profiling: { refresh: allways } }]',
      'ken.yaml: databases "a": "refresh" cannot be "allways". Did you mean "always"?',
    ],
    [
      'name: shop\ndocs: [{ name: a }]',
      'ken.yaml: docs "a": give either url or path. Use url for a remote source, path for a local folder.',
    ],
    [
      'name: shop\ndocs: [{ name: a, path: x }, { name: A, path: y }]',
      'ken.yaml: docs: two entries are named "a". Give each a name of its own.',
    ],
    ['name: [', 'ken.yaml: line 1 is not YAML'],
  ])('rejects %j in one line with the fix', (text, line) => {
    expect(faultOf(text)).toContain(line)
  })

  test('has a JSON schema with its fields and those of connections', () => {
    const schema = JSON.stringify(configJsonSchema(RULES))
    for (const field of ['databases', 'repositories', 'notion', 'confluence', 'profiling', 'password', 'templates'])
      expect(schema).toContain(`"${field}"`)
  })

  test('a new project has a readable ken.yaml', () => {
    const files = scaffoldFiles('shop', RULES, {})
    expect(readConfig(files['ken.yaml']!, RULES)).toMatchObject({ name: 'shop', entries: [{ key: 'templates' }] })
  })
})

describe('references to the environment', () => {
  const lookup = (name: string): string | undefined => ({ PASSWORD: 'long-secret', EMPTY: '' })[name]

  test('are replaced, with a default if one is given, and reported as secrets', () => {
    expect(fillReferences({ a: ['${PASSWORD}'], b: '${HOST:-localhost}:${EMPTY:-1}' }, lookup)).toEqual({
      value: { a: ['long-secret'], b: 'localhost:1' },
      secrets: ['long-secret'],
    })
  })

  test('lists every unset variable', () => {
    expect(() => fillReferences(['${ONE}', '${TWO}'], lookup)).toThrow('ONE, TWO are not set.')
  })

  test('are required in place of plain secrets', () => {
    expect(
      plainSecrets({
        databases: [
          { password: 'x', url: 'postgres://a:b@c/d' },
          { password: '${P}', url: 'postgres://a:${P}@c/d' },
        ],
      }),
    ).toEqual(['databases.0.password', 'databases.0.url'])
  })
})

describe('names as paths', () => {
  test('keeps plain names, and makes unsafe ones safe and distinct', () => {
    expect(safeSegment('order_lines')).toBe('order_lines')
    expect(safeSegment('表')).toBe('表')
    const unsafe = [
      'a/b',
      'a\\b',
      '..',
      '.',
      '',
      'CON',
      'nul.txt',
      'a\0b',
      'x'.repeat(300),
      `${'x'.repeat(299)}y`,
      'trailing.',
      ' ',
    ]
    const safe = unsafe.map(safeSegment)
    expect(new Set(safe).size).toBe(unsafe.length)
    for (const segment of safe) expect(segment).toMatch(/^[^/\\\0]+~[0-9a-f]{8}$/)
    expect(Math.max(...safe.map((segment) => segment.length))).toBeLessThan(140)
  })

  test('paths that a file system cannot distinguish each get a suffix, in any order', () => {
    const wanted = [
      { id: '1', path: 'a/Orders.md' },
      { id: '2', path: 'a/orders.md' },
      { id: '3', path: 'a/x.md' },
    ]
    const paths = distinctPaths(wanted)
    expect(paths.get('3')).toBe('a/x.md')
    expect(paths.get('1')).toMatch(/^a\/Orders~[0-9a-f]{8}\.md$/)
    expect(distinctPaths(wanted.toReversed()).get('1')).toBe(paths.get('1'))
  })

  test('titles become words joined by dashes', () => {
    expect(titleSegment('  Refunds & Returns: 2026/Q1! ')).toBe('refunds-returns-2026-q1')
    expect(titleSegment('???')).toBe('untitled')
  })
})
