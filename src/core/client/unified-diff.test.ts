import { expect, it } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

it('shows what is added, with two lines around it', () => {
  expect(unifiedDiff('f', 'a\nb\nc\nd\ne\n', 'a\nb\nc\nX\nd\ne\n')).toBe(
    '--- f\n+++ f\n@@ -2 +2 @@\n b\n c\n+X\n d\n e',
  )
})

it('shows two places apart as two hunks', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `${at}`)
  const diff = unifiedDiff('f', lines.join('\n'), ['new', ...lines.slice(0, 18), 'changed', '19'].join('\n'))
  expect(diff.match(/^@@/gm)).toHaveLength(2)
  expect(diff).toContain('+new')
  expect(diff).toContain('-18\n+changed')
})

it('names a file that comes or goes', () => {
  expect(unifiedDiff('f', undefined, 'a\n')).toBe('--- /dev/null\n+++ f\n@@ -1 +1 @@\n+a')
  expect(unifiedDiff('f', 'a\n', undefined)).toBe('--- f\n+++ /dev/null\n@@ -1 +1 @@\n-a')
  expect(unifiedDiff('f', 'a', 'a')).toBe('')
})
