import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCases } from '../src/evaluation/domain/read-cases.ts'
import { CASE_KINDS, caseFieldsOf } from '../src/evaluation/domain/test-case.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { flagsOf } from '../src/surfaces/cli/flags.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../docs/guides/tests.md'), 'utf8')
const blocks = [...GUIDE.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
  .map(([, text]) => text!)
  .filter((text) => !/^on:/m.test(text))

test('every example of a case in the guide is valid, and every kind has one', () => {
  const read = blocks.map((text, i) => readCases(`example-${i}.yaml`, text))
  expect(read.flatMap(({ broken }) => broken)).toEqual([])
  const kinds = new Set(read.flatMap(({ cases }) => cases.map(({ test: { kind } }) => kind)))
  expect([...kinds].toSorted()).toEqual([...CASE_KINDS].toSorted())
  const names = read.flatMap(({ cases }) => cases.map(({ test: { name } }) => name))
  expect(new Set(names).size).toBe(names.length)
})

test('every field of a case is in the guide', () => {
  const fields = new Set(CASE_KINDS.flatMap((kind) => caseFieldsOf(kind)))
  const absent = [...fields].filter((field) => !new RegExp(`\\b${field}\\b`).test(GUIDE))
  expect(absent).toEqual([])
})

test('every command line in the guide is valid', () => {
  const lines = [...GUIDE.matchAll(/(?:^|`)ken (test[^`\n#]*)/gm)].map(([, line]) => line!.trim())
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) {
    const words = line.replace(/^test --record.*/, 'test record').split(/\s+/)
    const operation =
      OPERATIONS.find(({ command }) => command.includes(words.slice(0, 2).join(' '))) ??
      OPERATIONS.find(({ command }) => command.includes('test'))!
    const flags = flagsOf(operation).map(({ name }) => `--${name}`)
    for (const word of words.filter((one) => one.startsWith('--')))
      expect([line, flags]).toEqual([line, expect.arrayContaining([word])])
  }
})
