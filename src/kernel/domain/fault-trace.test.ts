import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { faultLine, faultTrace } from './fault-trace.ts'

test('a failure is reported with its stack and all its causes', () => {
  const told = faultTrace(
    new AppError('unavailable', 'It did not open.', { cause: new Error('disk', { cause: 'EIO' }) }),
  )
  expect(told).toMatch(
    /^AppError: It did not open\.\n {4}at .*fault-trace\.test\.ts[^]*\ncaused by: Error: disk\n {4}at [^]*\ncaused by: EIO$/,
  )
})

test('redacts secrets in messages and causes', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const told = faultTrace(new Error(`refused ${token}`, { cause: new Error(`postgres://u:${token}@db/x`) }))
  expect(told).toContain('refused')
  expect(told).not.toContain(token)
})

test('handles circular causes and values that are not errors', () => {
  const fault = new Error('round')
  fault.cause = fault
  expect(faultTrace(fault)).not.toContain('caused by')
  expect(faultTrace('just text')).toBe('just text')
})

const AT = new Date('2026-01-02T03:04:05Z')

test('a log line contains the kind and place of a fault, and none of its text', () => {
  const fault = Object.assign(new TypeError('of Ada\n    at src/made/private.ts:1:1'), { code: '42P01' })
  const line = faultLine(fault, AT)!
  expect(line).toMatchObject({ at: '2026-01-02T03:04:05.000Z', fault: 'TypeError 42P01' })
  expect(line.where[0]).toMatch(/^src\/kernel\/domain\/fault-trace\.test\.ts:\d+:\d+$/)
  expect(faultLine(new AppError('internal', 'Oh.', { cause: fault }), AT)).toEqual(line)
  expect(JSON.stringify(line)).not.toMatch(/Ada|private|made/)
  expect(faultLine('Ada', AT)).toEqual({ at: '2026-01-02T03:04:05.000Z', fault: 'string', where: [] })
  expect(faultLine(Object.assign(new Error('x'), { name: 'of Ada', code: 'of Ada' }), AT)).toMatchObject({ fault: '' })
})

test('writes no log line for a deliberate failure', () => {
  expect(faultLine(new AppError('unavailable', 'The database cannot be reached'), AT)).toBeUndefined()
})
