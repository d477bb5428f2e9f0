import { expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/index.ts'
import { FOR_AGENTS } from '../src/operations/for-agents.ts'
import { OFTEN } from '../src/operations/often.ts'

test.each(Object.keys(OFTEN))('`ken %s` loads alone and is what the registry says', async (word) => {
  expect(await OFTEN[word]!()).toBe(OPERATIONS.find((op) => op.command.includes(word)))
})

test('no longer command begins with one of these words', () => {
  const longer = OPERATIONS.flatMap((op) => op.command).filter((words) => words.includes(' ') && Object.hasOwn(OFTEN, words.split(' ')[0]!))
  expect(longer).toEqual([])
})

test('a server with the usual toolsets offers exactly what the registry has for agents', () => {
  const offered = OPERATIONS.filter((op) => op.hiddenFrom.mcp === undefined && (op.toolset === 'record' || op.toolset === 'memory'))
  expect(FOR_AGENTS.map((op) => op.name)).toEqual(offered.map((op) => op.name))
  for (const op of FOR_AGENTS) expect(offered).toContain(op)
})
