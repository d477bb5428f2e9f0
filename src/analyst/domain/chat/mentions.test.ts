import { expect, test } from 'vitest'
import { mentionsIn } from './mentions.ts'

test.each([
  ['How many @orders are there?', ['orders'], []],
  ['Compare @main.orders, @shop.main.users and (@payments).', ['main.orders', 'shop.main.users', 'payments'], []],
  ['Read @docs/handbook.md and use /monthly-report.', ['docs/handbook.md'], ['monthly-report']],
  ['/tone /monthly-report please', [], ['tone', 'monthly-report']],
  ['@"a table with spaces" and @Übersicht', ['a table with spaces', 'Übersicht'], []],
  ['@orders @orders', ['orders'], []],
])('finds the mentions in: %s', (text, at, slash) => {
  expect(mentionsIn(text)).toEqual({ at, slash })
})

test.each([['write to ada@example.com'], ['and/or'], ['24/7'], ['a@b'], ['@'], ['/ alone'], ['http://x.example/path']])(
  'finds no mention in: %s',
  (text) => {
    expect(mentionsIn(text)).toEqual({ at: [], slash: [] })
  },
)

test('limits the mentions found in a text full of @ and / signs', () => {
  const text = '@ / @"'.repeat(50_000)
  expect(mentionsIn(text).at.length).toBeLessThanOrEqual(50)
})
