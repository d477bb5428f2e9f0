import { describe, expect, test } from 'vitest'
import { JsFault, readJsCalls } from '../src/context/domain/sources/js-calls.ts'
import { lookmlPages } from '../src/context/domain/sources/lookml-pages.ts'
import { LookmlFault, parseLookml } from '../src/context/domain/sources/lookml-parse.ts'
import { readLookmlProject } from '../src/context/domain/sources/lookml-project.ts'
import { readModelYaml } from '../src/context/domain/sources/model-yaml.ts'

// Hostile data model files, ten times as long as Ken accepts. A quadratic-time parser would take hours.
const pagesOf = (files: Record<string, string>) =>
  lookmlPages(readLookmlProject(Object.entries(files).map(([path, text]) => ({ path, text }))))

describe('LookML', () => {
  test.each([
    ['braces', 'a:{'.repeat(3_000_000)],
    ['quotes', 'a: "b" '.repeat(1_000_000)],
    ['a quote without an end', `view: a { label: "${'\\"'.repeat(5_000_000)}`],
    ['SQL without an end', `view: a { sql: ${'; '.repeat(5_000_000)}`],
    ['SQL without an end, many times', 'sql: x '.repeat(1_400_000)],
    ['an open list', `a: [${'b,'.repeat(5_000_000)}`],
    ['hashes', '#'.repeat(10_000_000)],
    ['lines of comments', '#\n'.repeat(5_000_000)],
    ['blanks', ' '.repeat(10_000_000)],
    ['constants', '@{'.repeat(5_000_000)],
    ['colons', 'a:'.repeat(5_000_000)],
  ])('ten megabytes of %s are read or refused in one pass', (_what, bad) => {
    try {
      parseLookml(bad)
    } catch (error) {
      expect(error).toBeInstanceOf(LookmlFault)
    }
  })

  test('a view that is refined and extended thousands of times costs no more than its length', () => {
    const fields = Array.from({ length: 5_000 }, (_, i) => `dimension: f${i} {}`).join('\n')
    const refined = 'view: +a { dimension: f1 { link: { label: "x" } } }\n'.repeat(15_000)
    const extended = Array.from({ length: 5_000 }, (_, i) => `view: v${i} { extends: [a, v${i - 1}] }`).join('\n')
    const { pages, skipped: faults } = pagesOf({
      'a.lkml': `view: a { ${fields} }`,
      'b.lkml': refined,
      'c.lkml': extended,
    })
    expect(pages.length).toBe(5_001)
    expect(faults).toEqual([expect.objectContaining({ title: 'extends' })])
  })
})

describe('JavaScript', () => {
  test.each([
    ['braces', '{'.repeat(10_000_000)],
    ['objects', `cube('a', ${'{a:'.repeat(3_000_000)}`],
    ['lists', `cube('a', ${'['.repeat(10_000_000)}`],
    ['templates in templates', '`${'.repeat(3_000_000)],
    ['templates that are not plain', `cube('a', { ${'a: `${b()}`, '.repeat(800_000)} })`],
    ['a quote without an end', `cube('a', { b: "${'\\"'.repeat(5_000_000)}`],
    ['comments', '/*'.repeat(5_000_000)],
    ['calls in a loop', `x(() => { ${"cube('a');".repeat(1_000_000)} })`],
    ['brackets that close what is not open', `cube('a', [${')'.repeat(5_000_000)}`],
    ['a key without a value', `cube('a', {${']'.repeat(5_000_000)}`],
    ['blanks', `cube(${' '.repeat(10_000_000)}`],
  ])('ten megabytes of %s are read or refused in one pass', (_what, bad) => {
    try {
      readJsCalls(bad, new Set(['cube']))
    } catch (error) {
      expect(error).toBeInstanceOf(JsFault)
    }
  })
})

describe('YAML', () => {
  test.each([
    ['brackets', '['.repeat(1_000_000)],
    ['keys', 'a: b: '.repeat(150_000)],
    ['lists in lists', '- '.repeat(500_000)],
    ['quotes', '"'.repeat(1_000_000)],
    ['errors', 'a: "b" c\n'.repeat(100_000)],
    ['tabs', '\t- a\n'.repeat(100_000)],
    [
      'aliases',
      `a: &a [x,x]\n${Array.from({ length: 60 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}`,
    ],
    ['more than it may have', 'a'.repeat(2_000_000)],
    ['keys of one name', 'a: 1\n'.repeat(200_000)],
    ['different keys', Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n')],
  ])('a megabyte of %s is read or refused', (_what, bad) => {
    expect(readModelYaml(bad)).toBeDefined()
  })
})
