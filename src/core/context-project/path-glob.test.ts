import picomatch from 'picomatch'
import { describe, expect, test } from 'vitest'
import { fitsName } from './name-glob.ts'
import { pathMatcher } from './path-glob.ts'

const PATHS = ['a', 'b', 'README.md', 'docs/a.md', 'docs/b/a.md', 'docs/b/c/a.md', 'src/x.ts', 'src/x.test.ts', '.env', '.github/w.yml', 'src/.hidden/x.ts', 'docs', 'adocs/x', 'docs2/a.md', 'a-b.txt', 'a_b.txt', 'src/ü.md', 'src/a[b].md']

describe('a pattern of paths', () => {
  test.each(['*', '**', '*.md', '**/*.md', 'docs/**', 'docs', 'docs/*', 'docs/*/a.md', 'docs/**/a.md', '**/docs/**', 'src/*.{ts,md}', '{docs,src}/**', '{a,{b,README}.md}', 'src/?.ts', '[ab]', '[^a]', '[a-c]*', 'a[-_]b.txt', '**/x.ts', 'src/**/x.*', '.*', '**/.*', '*/*', 'src/**/*.test.ts', '**/**/a.md', 'docs/**/**'])('%s takes what people know it to take', (pattern) => {
    const fits = pathMatcher([pattern])
    const known = picomatch(pattern, { dot: true })
    expect(PATHS.filter(fits)).toEqual(PATHS.filter((path) => known(path)))
  })

  test('that tries everything is done at once', () => {
    const path = `${'a'.repeat(250)}/${'a'.repeat(250)}/${'a'.repeat(250)}`
    expect(pathMatcher([`${'*a'.repeat(100)}b`, `${'**/*a*a*a'.repeat(30)}/b`])(path)).toBe(false)
    expect(pathMatcher([`**/${'*a'.repeat(100)}`])(path)).toBe(true)
  })

  test.each(['+(a|a)', '!(a)', '@(a|b)', '!a', '{a,b}'.repeat(20)])('%s is refused', (pattern) => {
    expect(() => pathMatcher([pattern])).toThrow(/cannot be used/)
  })
})

test('a pattern of names that tries everything is done at once', () => {
  const name = `main.${'a'.repeat(3_000)}`
  expect(fitsName(name, `${'*a'.repeat(1_000)}b`)).toBe(false)
  expect(fitsName(name, `main.${'*a'.repeat(1_000)}`)).toBe(true)
  expect(fitsName('Main.Orders', 'orders')).toBe(true)
  expect(fitsName('main.orders', 'main.o?ders')).toBe(true)
  expect(fitsName('main.orders', 'o.ders')).toBe(false)
  expect(fitsName('main.orders', '*')).toBe(true)
})
