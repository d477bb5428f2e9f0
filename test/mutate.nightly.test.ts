import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'

const MUTATE = resolve(import.meta.dirname, '../scripts/mutate.ts')
// A file with one place to mutate.
const ONE_PLACE = ['--in', 'src/team/opaque-secret.ts']

let temporary: string
const made: string[] = []
beforeEach(() => void made.push((temporary = mkdtempSync(join(tmpdir(), 'ken-mutating-')))))
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const start = (...words: string[]) =>
  spawn(process.execPath, [MUTATE, ...words], { env: { ...process.env, TMPDIR: temporary } })
const copies = () => readdirSync(temporary)

async function endedBy(signal: NodeJS.Signals): Promise<unknown> {
  const running = start(...ONE_PLACE)
  const ended = once(running, 'exit')
  const source = () => join(temporary, copies()[0] ?? '', 'tree/src/team/opaque-secret.ts')
  const whole = readFileSync(resolve(import.meta.dirname, '../src/team/opaque-secret.ts'), 'utf8')
  const isBroken = () => existsSync(source()) && readFileSync(source(), 'utf8') !== whole
  await expect.poll(isBroken, { timeout: 120_000 }).toBe(true)
  running.kill(signal)
  return (await ended)[0]
}

test('a mutation that a suite detects is caught, and nothing is left behind', async () => {
  const running = start(...ONE_PLACE, '--seed', '1')
  const [said, [code]] = await Promise.all([text(running.stdout), once(running, 'exit')])
  expect(said).toContain('src/team/opaque-secret.test.ts')
  expect(said).toMatch(/\n1 of 1 caught, 0 survived, 0 not judged, seed 1\.\n$/)
  expect([code, copies()]).toEqual([0, []])
})

test('mutations beyond the time limit are named, and not judged', async () => {
  const said = await text(start(...ONE_PLACE, '--minutes', '0', '--seed', '1').stdout)
  expect(said).toContain('The 0 minutes are over.')
  expect(said).toMatch(/\n0 of 1 caught, 0 survived, 1 not judged, seed 1\.\n$/)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('after %s nothing is left behind', async (signal) => {
  expect(await endedBy(signal)).toBe(128 + constants.signals[signal])
  expect(copies()).toEqual([])
})

test('a killed run leaves no process, and its copy is removed by the next run', async () => {
  await endedBy('SIGKILL')
  expect(copies()).toHaveLength(1)
  await text(start(...ONE_PLACE, '--minutes', '0').stdout)
  expect(copies()).toEqual([])
})
