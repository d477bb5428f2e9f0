import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evalTables } from '../scripts/eval-tables.ts'
import { ERROR_TABLE } from '../src/kernel/domain/errors.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('troubleshooting has a section for each error code, in the order of the table', () => {
  const sections = [...read('docs/troubleshooting.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(sections).toEqual(Object.keys(ERROR_TABLE))
})

test('the index of the documentation links every guide', () => {
  const index = read('docs/README.md')
  const pages = readdirSync(join(ROOT, 'docs/guides')).filter((name) => name.endsWith('.md'))
  expect(pages.filter((name) => !index.includes(`(guides/${name})`))).toEqual([])
})

test('the figures of the README equal those of docs/quality.md', () => {
  const figures = evalTables()['quality']!
  const shown = [...read('README.md').matchAll(/(\d+ of \d+) in held-out|(\d+) false alarms in (\d+)/g)]
  expect(shown.length).toBe(2)
  for (const [, whole, value, of] of shown) expect(figures).toContain(`| ${whole ?? `${value} of ${of}`} |`)
})
