import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fieldNamed, operationNamed, spellDeep } from '../src/kernel/domain/named-operation.ts'
import { HOSTED, OPERATIONS } from '../src/operations/all.ts'
import { FOR_PROGRAMS, forTerminal } from '../src/operations/spelling.ts'
import { commandHelp } from '../src/surfaces/cli/help.ts'

const SRC = resolve(import.meta.dirname, '..', 'src')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(SRC, path), 'utf8'))
const fields = new Set([...OPERATIONS, ...HOSTED].flatMap((op) => Object.keys(op.input.shape)))

test('every operation and field named in a text exists', () => {
  const named = sources.flatMap((text) => [...text.matchAll(/operationNamed\('(\w+)'/g)].map(([, name]) => name!))
  const used = sources.flatMap((text) => [...text.matchAll(/fieldNamed\('(\w+)'/g)].map(([, name]) => name!))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !OPERATIONS.some((op) => op.name === name))).toEqual([])
  expect(used.filter((name) => !fields.has(name))).toEqual([])
})

test('the same text names a tool to an agent and a command to a person', () => {
  const text = `${operationNamed('get_decision', 2)} ${fieldNamed('fail_on')} ${fieldNamed('project_id')} ${fieldNamed('paths')}`
  const guard = OPERATIONS.find((op) => op.name === 'guard')!
  expect(spellDeep({ text }, FOR_PROGRAMS).text).toBe('get_decision(2) fail_on project_id paths')
  expect(spellDeep({ text }, forTerminal(guard)).text).toBe('`ken show 2` --fail-on --project <paths>')
})

test.each(OPERATIONS.map((op) => [op.command[0]!, op] as const))('ken %s --help names no tool', (_command, op) => {
  const help = commandHelp(op).replaceAll(/"[^"]*"/g, '')
  const tools = OPERATIONS.map(({ name }) => name).filter((name) => name.includes('_'))
  expect(tools.filter((name) => new RegExp(`(?<![\\w/.-])${name}(?![\\w.-])`).test(help))).toEqual([])
  expect(help).not.toMatch(/[\u{fdd0}\u{fdd1}]/u)
})
