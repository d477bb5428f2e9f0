import { expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/index.ts'
import { OFTEN } from '../src/operations/often.ts'

test.each(Object.keys(OFTEN))('`ken %s` loads alone and is what the registry says', async (word) => {
  expect(await OFTEN[word]!()).toBe(OPERATIONS.find((op) => op.command.includes(word)))
})

test('no longer command begins with one of these words', () => {
  const longer = OPERATIONS.flatMap((op) => op.command).filter((words) => words.includes(' ') && Object.hasOwn(OFTEN, words.split(' ')[0]!))
  expect(longer).toEqual([])
})
