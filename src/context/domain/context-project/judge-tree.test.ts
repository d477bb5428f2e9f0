import { describe, expect, test } from 'vitest'
import { judgeTree } from './judge-tree.ts'

const judged = (files: Readonly<Record<string, string>>) =>
  judgeTree((path) => files[path], { sources: [], warehouses: [] }).map(
    ({ path, line, message }) => `${path}:${line ?? ''} ${message}`,
  )

describe('a context project in a repository', () => {
  test('has no fault if ken.yaml can be read', () => {
    expect(judged({ 'ken.yaml': 'name: shop\n' })).toEqual([])
  })

  test('needs a ken.yaml', () => {
    expect(judged({ 'README.md': 'A shop' })).toEqual(['ken.yaml: ken.yaml not found.'])
  })

  test('has its faults reported with file and line', () => {
    expect(judged({ 'ken.yaml': 'name: shop\nsurprise: 1\n', '.kenignore': 'a\n'.repeat(256 * 1024) })).toEqual([
      expect.stringMatching(/^ken\.yaml:2 .*surprise/),
      '.kenignore: It is larger than 256 KB.',
    ])
  })
})
