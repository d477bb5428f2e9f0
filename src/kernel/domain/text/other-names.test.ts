import { expect, test } from 'vitest'
import { otherNames, queryParts } from './other-names.ts'

const namesOf = (text: string): string[] => queryParts(text).map(({ name }) => name)
const meets = (query: string, text: string, headings: readonly string[] = []): boolean => {
  const names = otherNames(text, headings)
  return namesOf(query).some((name) => names.has(name))
}

test('an acronym matches its expansion in a heading, and vice versa', () => {
  expect(meets('move to SSR', '', ['Server-side rendering'])).toBe(true)
  expect(meets('move to ssr', '', ['Server-side rendering'])).toBe(true)
  expect(meets('describe infrastructure as code', 'We write IaC.')).toBe(true)
  expect(meets('a content delivery network', 'Assets come from a CDN.')).toBe(true)
  expect(meets('role based access control', 'RBAC for all.')).toBe(true)
})

test('two letters, and words with only some matching initials, match nothing', () => {
  expect(meets('continuous integration', 'CI runs on every push.')).toBe(false)
  expect(meets('let users sign in', 'The SSR of pages.', ['Server-side rendering'])).toBe(false)
})

test('a script without spaces is matched by pairs of its characters', () => {
  expect(meets('引入消息队列', '使用消息队列处理异步任务')).toBe(true)
  expect(meets('数据库', '使用消息队列')).toBe(false)
})
