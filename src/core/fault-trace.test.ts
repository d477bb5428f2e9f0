import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { faultTrace } from './fault-trace.ts'

test('a failure is told with where it was thrown and what caused it, down to the first', () => {
  const told = faultTrace(
    new AppError('unavailable', 'It did not open.', { cause: new Error('disk', { cause: 'EIO' }) }),
  )
  expect(told).toMatch(
    /^AppError: It did not open\.\n {4}at .*fault-trace\.test\.ts[^]*\ncaused by: Error: disk\n {4}at [^]*\ncaused by: EIO$/,
  )
})

test('secrets in messages and causes are taken out', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const told = faultTrace(new Error(`refused ${token}`, { cause: new Error(`postgres://u:${token}@db/x`) }))
  expect(told).toContain('refused')
  expect(told).not.toContain(token)
})

test('a circle of causes, and what is no error, are told as well', () => {
  const fault = new Error('round')
  fault.cause = fault
  expect(faultTrace(fault)).not.toContain('caused by')
  expect(faultTrace('just text')).toBe('just text')
})
