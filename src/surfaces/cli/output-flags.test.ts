import { expect, test } from 'vitest'
import { hasColour, takeOutputFlags } from './output-flags.ts'

test.each([
  ['decisions', { color: 'auto', verbose: false, rest: ['decisions'] }],
  ['--color=never decisions', { color: 'never', verbose: false, rest: ['decisions'] }],
  ['decisions --color always -n 3', { color: 'always', verbose: false, rest: ['decisions', '-n', '3'] }],
  ['decisions --color', { color: 'always', verbose: false, rest: ['decisions'] }],
  ['--color decisions --no-color', { color: 'never', verbose: false, rest: ['decisions'] }],
  ['search x --verbose', { color: 'auto', verbose: true, rest: ['search', 'x'] }],
  [
    'note -- --color=never --verbose',
    { color: 'auto', verbose: false, rest: ['note', '--', '--color=never', '--verbose'] },
  ],
])('ken %s', (line, taken) => expect(takeOutputFlags(line.split(' '))).toEqual(taken))

test('refuses any other value', () => {
  expect(() => takeOutputFlags(['decisions', '--color=sometimes'])).toThrow(
    '--color takes auto, always, never, not "sometimes".',
  )
})

const TTY = { isTTY: true }
test.each([
  ['auto', TTY, {}, true],
  ['auto', {}, {}, false],
  ['auto', TTY, { NO_COLOR: '1' }, false],
  ['auto', TTY, { NO_COLOR: '' }, true],
  ['auto', TTY, { TERM: 'dumb' }, false],
  ['auto', {}, { FORCE_COLOR: '1' }, true],
  ['auto', TTY, { FORCE_COLOR: '0' }, false],
  ['auto', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['always', {}, { NO_COLOR: '1' }, true],
  ['never', TTY, { FORCE_COLOR: '1' }, false],
] as const)('--color=%s, %j, %j: %s', (color, stream, environment, colour) =>
  expect(hasColour(color, stream, environment)).toBe(colour),
)
