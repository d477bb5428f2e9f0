import { expect, test } from 'vitest'
import { openLiquidTemplates } from './liquid-templates.ts'

const render = (text: string, scope: Record<string, unknown> = {}) =>
  openLiquidTemplates().render({ name: 'test.md.liquid', text }, scope)

test('a template sees its scope but no inherited properties of its values', async () => {
  class Secretive {
    shown = 'yes'
    get hidden(): string {
      return 'no'
    }
  }
  expect(
    await render('{{ a.shown }}|{{ a.hidden }}|{{ a.constructor }}|{{ a.__proto__ }}|{{ process }}|{{ list.length }}', {
      a: new Secretive(),
      list: [1, 2],
    }),
  ).toBe('yes|||||2')
})

test.each(["{% include 'secrets' %}", "{% render '/etc/passwd' %}", "{% layout 'x' %}"])(
  '%s does not read a file',
  async (text) => {
    await expect(render(text)).rejects.toMatchObject({ code: 'invalid_input' })
  },
)

test.each([
  ['an endless loop', '{% for i in (1..100000000) %}{% for j in (1..100000000) %}x{% endfor %}{% endfor %}'],
  [
    'a text that grows without end',
    "{% assign x = 'aaaaaaaaaaaaaaaa' %}{% for i in (1..64) %}{% assign x = x | append: x %}{% endfor %}{{ x }}",
  ],
])('rejects a template with %s', async (_name, text) => {
  await expect(render(text)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('an unknown filter is an error that names the template', async () => {
  await expect(render('{{ a | nope }}')).rejects.toThrow(/test\.md\.liquid cannot be used: undefined filter: nope/)
})

test('cell and code filters escape text that would break a table', async () => {
  expect(
    await render('| {{ a | cell }} | {{ a | code }} | {{ n | number }} |', { a: 'x|y\n`z`', n: 1234567.891 }),
  ).toBe('| x\\|y `z` | `` x\\|y `z` `` | 1,234,567.891 |')
})

test.each(['a\rb', 'a\u2028b', 'a\u0085b', 'a\r\n\n b'])('%j is rendered on one line', async (value) => {
  expect(await render('{{ a | cell }},{{ a | code }}', { a: value })).toBe('a b,`a b`')
})

test('a backslash before a bar does not end the cell', async () => {
  expect(await render('{{ a | cell }}', { a: String.raw`x\|y` })).toBe(String.raw`x\\\|y`)
})

test('fenced code with a fence inside gets a longer fence', async () => {
  expect(await render('{{ a | fenced: "sql" }}', { a: 'SELECT 1\n```\n# forged' })).toBe(
    '````sql\nSELECT 1\n```\n# forged\n````',
  )
})
