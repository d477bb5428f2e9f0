import { expect, test } from 'vitest'
import { diskFailure } from './disk-failure.ts'

const refusal = (fields: Record<string, unknown>) => Object.assign(new Error('as the system says it'), fields)

test.each([
  [{ code: 'ENOSPC', path: '/home/me/.ken/config.yml' }, 'unavailable', '/home/me/.ken/config.yml: the disk is full.'],
  [
    { code: 'EROFS', path: '/home/me/.ken/.config.yml.0123456789abcdef.tmp' },
    'unavailable',
    '/home/me/.ken/config.yml: the file system is read-only.',
  ],
  [{ code: 'EACCES' }, 'forbidden', 'Permission denied.'],
  [
    { code: 'ENOENT', syscall: 'mkdir', path: '/ro/home' },
    'unavailable',
    '/ro/home: the folder cannot be made; the file system may be read-only.',
  ],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'unavailable', 'The disk is full.'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 1032 }, 'unavailable', 'It may only be read.'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 4874 }, 'unavailable', 'The disk reported a fault, or is full.'],
])('%o has a readable message', (fields, code, message) => {
  expect(diskFailure(refusal(fields))).toMatchObject({ code, message, hint: expect.stringMatching(/\.$/) })
})

test('ignores errors that are not from a disk', () => {
  for (const other of [
    refusal({ code: 'ENOENT', path: '/x' }),
    refusal({ code: 'ERR_SQLITE_ERROR', errcode: 1 }),
    new TypeError('a fault'),
    undefined,
    null,
    'text',
  ])
    expect(diskFailure(other)).toBeUndefined()
})
