import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atTerminal } from './pseudo-terminal.ts'

let place: string
let env: Record<string, string>

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-demo-test-')))
  mkdirSync(join(place, 'tmp'))
  mkdirSync(join(place, 'home'))
  env = { HOME: join(place, 'home'), TMPDIR: join(place, 'tmp'), BROWSER: 'none' }
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const left = (): string[] => [
  ...readdirSync(join(place, 'tmp')).filter((name) => name !== 'node-compile-cache'),
  ...readdirSync(join(place, 'home')),
]

test('the demo continues as the app at a terminal until Ctrl-C, and leaves nothing behind', async () => {
  let during: string[] = []
  const screen = await atTerminal(['demo'], {
    cwd: place,
    env,
    columns: 200,
    answers: [
      [
        'it works once',
        () => {
          during = left()
          return '\x03'
        },
      ],
    ],
  })
  expect(screen.text).toContain('It reintroduces "RabbitMQ"')
  expect(screen.text).toMatch(/Open http:\/\/127\.0\.0\.1:\d+\/\S+/)
  expect(screen.code).toBe(0)
  expect(during).toEqual([expect.stringMatching(/^ken-demo-/)])
  expect(left()).toEqual([])
})

test('--once ends the demo before the app starts', async () => {
  const screen = await atTerminal(['demo', '--once'], { cwd: place, env, columns: 200 })
  expect(screen.text).toContain('Now for your own project:')
  expect(screen.text).not.toContain('127.0.0.1')
  expect(screen.code).toBe(0)
  expect(left()).toEqual([])
})
