import { expect, test } from 'vitest'
import { leftWithin, monthBegan, nearlySpent, type Budget } from './budget.ts'

const NOW = new Date('2026-12-31T23:30:00Z')
const of = (one: Budget['of'], most: number, spent: number): Budget => ({ of: one, most, spent })

test('months begin in UTC', () => {
  expect(monthBegan(NOW)).toBe('2026-12-01T00:00:00.000Z')
})

test('the tightest budget determines the remaining amount, and a used-up one is rejected with its reset date', () => {
  expect(leftWithin([of('person', 10, 4), of('project', 100, 99)], NOW)).toBe(1)
  expect(() => leftWithin([of('person', 10, 4), of('project', 100, 100)], NOW)).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message: 'The budget of this project for models is spent: $100 a month.',
      hint: 'It resets on 2027-01-01; raise it with the setting budget.project.',
    }),
  )
})

test('reports a budget once 80 % of it is spent, and not before', () => {
  expect(nearlySpent([of('person', 10, 7.99), of('project', 100, 20)])).toEqual([])
  expect(nearlySpent([of('person', 10, 8), of('project', 100, 99.9)])).toEqual([
    '80 % of your budget for this month is spent.',
    '99 % of the budget of this project for this month is spent.',
  ])
})
