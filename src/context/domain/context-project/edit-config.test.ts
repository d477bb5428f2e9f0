import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addEntry, removeEntry } from './edit-config.ts'

const DATABASES = { key: 'databases', entries: 'list' } as const
const DOCS = { key: 'docs', entries: 'list' } as const
const shop = { name: 'shop', type: 'duckdb', path: 'shop.duckdb' }

/** Typical hand-written ken.yaml files. */
const TEXTS: Readonly<Record<string, string>> = {
  plain:
    '# Ours\nname: x # the name\n\ndatabases:\n  # the first\n  - name: a # old\n    type: sqlite\n    path: "a.db"\n\n# the end\n',
  'without indentation':
    "name: x\ndatabases:\n- name: a\n  type: sqlite\n  path: 'a.db' # quoted\n# after\ndocs:\n- {name: d,   path: docs2}\n",
  'a list in brackets': 'name: x\ndatabases: [{ name: a, type: sqlite, path: a.db }] # one line\ntemplates: t\n',
  'brackets over lines': 'name: x\ndatabases: [\n  # first\n  { name: a, type: sqlite, path: a.db },\n]\n',
  'no line end': 'name: x\ndatabases:\n  - name: a\n    type: sqlite\n    path: a.db',
  'other line ends':
    'name: x # n\r\ndatabases: # d\r\n  - name: a\r\n    type: sqlite\r\n    path: a.db # p\r\n# end\r\n',
  'an empty list': 'name: x\ndatabases: [] # none yet\n# after\ntemplates: t\n',
  'nothing after the key': 'name: x\ndatabases: # none yet\n# after\ntemplates: t\n',
  'no key': '# only this\nname: x\n',
  'a map in braces': '{ name: x, databases: [] }\n',
  'four columns':
    'name: x\ndatabases:\n    -   name: a\n        type: sqlite\n        path: a.db\n        include:\n            - main.*   # all\n\n\ntemplates: t\n',
  'an anchor': 'name: x\ndatabases:\n  - &a { name: a, type: sqlite, path: a.db }\n  - <<: *a\n    name: b\n',
}
const comments = (text: string): string[] => text.match(/#[^\r\n]*/g) ?? []

describe('ken.yaml keeps the user’s formatting', () => {
  test.each(Object.keys(TEXTS))('when an entry is added and removed again, in the file: %s', (what) => {
    const text = TEXTS[what]!
    const before = parse(text, { merge: false }) as { databases?: unknown[] | null }
    const more = addEntry(text, DATABASES, shop)
    expect(parse(more)).toEqual({ ...before, databases: [...(before.databases ?? []), shop] })
    expect(comments(more)).toEqual(comments(text))
    if (text.includes('\r\n')) expect(more.replaceAll('\r\n', '')).not.toContain('\n')
    const again = removeEntry(more, 'databases', (before.databases ?? []).length)
    expect(parse(again)).toEqual({ ...before, databases: before.databases ?? [] })
    expect(comments(again)).toEqual(comments(text))
  })

  test.each(['plain', 'without indentation', 'no line end', 'other line ends', 'an empty list', 'four columns'])(
    'byte for byte, in the file: %s',
    (what) => {
      const text = TEXTS[what]!
      const more = addEntry(text, DATABASES, shop)
      const eol = text.includes('\r\n') ? '\r\n' : '\n'
      for (const line of text.split(eol)) expect(more).toContain(line.replace(' []', ''))
      const count = (parse(text) as { databases: unknown[] }).databases.length
      expect(removeEntry(more, 'databases', count)).toBe(text)
    },
  )

  test('when a new key is added and removed', () => {
    const text = TEXTS['plain']!
    const more = addEntry(text, DOCS, { name: 'h', path: '../h' })
    expect(more).toBe(`${text}docs:\n  - name: h\n    path: ../h\n`)
    expect(removeEntry(more, 'docs', 0)).toBe(text)
  })

  test('when the kind allows only one entry', () => {
    const one = { key: 'notion', entries: 'one' } as const
    const more = addEntry('name: x\n', one, { token: '${NOTION_TOKEN}', pages: ['a'] })
    expect(more).toBe('name: x\nnotion:\n  token: ${NOTION_TOKEN}\n  pages:\n    - a\n')
    expect(removeEntry(more, 'notion', 0)).toBe('name: x\n')
  })

  test('when a single entry becomes a list', () => {
    const dbt = { key: 'dbt', entries: 'list or one' } as const
    const more = addEntry('name: x # n\ndbt: { path: ../a } # a\n', dbt, { name: 'b', path: '../b' })
    expect(parse(more)).toEqual({ name: 'x', dbt: [{ path: '../a' }, { name: 'b', path: '../b' }] })
    expect(comments(more)).toEqual(['# n', '# a'])
  })

  test('when an entry in the middle is removed', () => {
    const text =
      'name: x\ndatabases:\n  - name: a # a\n    type: sqlite\n  # of b\n  - name: b\n    type: sqlite\n  # of c\n  - { name: c, type: sqlite }\n'
    const left = removeEntry(text, 'databases', 1)
    expect(left).toBe(
      'name: x\ndatabases:\n  - name: a # a\n    type: sqlite\n  # of b\n  # of c\n  - { name: c, type: sqlite }\n',
    )
  })
})

test('values that YAML could misread round-trip', () => {
  for (const odd of [
    'yes',
    '1e3',
    '- a',
    'a: b',
    '# no',
    '${X:-a b}',
    "it's",
    '"',
    '\u001b[31m',
    'é\u2028x',
    '*x',
    ' a ',
  ])
    expect(parse(addEntry('name: x\n', DOCS, { name: 'h', path: odd }))).toEqual({
      name: 'x',
      docs: [{ name: 'h', path: odd }],
    })
})

test('refuses to edit a list that is an alias', () => {
  const text = 'name: x\ndocs: &l [{ name: a, path: b }]\ndatabases: *l\n'
  expect(() => addEntry(text, DATABASES, shop)).toThrow(/Change it by hand|Can’t change/)
})
