import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAnalystDesk, type AnalystDesk } from '../analyst/analyst-desk.ts'

// A folder of tests comes with a clone: names, texts and links of it are a stranger's.

const CASE = '- name: In words\n  prompt: Say something about orders\n  assert: [{ contains: orders }]\n'

let desk: AnalystDesk
beforeEach(async () => {
  desk = await openAnalystDesk(() => 'There are orders.')
  rmSync(join(desk.folder, 'tests'), { recursive: true })
})
afterEach(() => desk.close())

test('a file whose name would begin a line of its own is told, and not read', async () => {
  desk.write('tests/first.yaml', CASE)
  desk.write('tests/a\n::error::b\u001b[2J.yaml', CASE)
  const output = await desk.run('test_cases', {})
  expect(output['cases']).toHaveLength(1)
  expect(output['broken']).toMatchObject([
    { file: 'a ::error::b\\u{1b}[2J.yaml', fault: expect.stringMatching(/name/) },
  ])
  const ran: any = await desk.run('test_run', {})
  expect(JSON.stringify([ran.run.broken, ran.cases])).not.toMatch(/\\n|\\u001b/)
})

test('a run is told although its results cannot be written, and nothing is written through a link', async () => {
  desk.write('tests/first.yaml', CASE)
  const outside = join(desk.folder, '../outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'report.html'), 'precious')
  symlinkSync(outside, join(desk.folder, 'tests/outputs'))
  const output: any = await desk.run('test_run', {})
  expect(output.total).toMatchObject({ passed: 1 })
  expect(output.outputs).toEqual([])
  expect(output.notes.join(' ')).toMatch(/symbolic link/)
  expect(readdirSync(outside)).toEqual(['report.html'])
  expect(readFileSync(join(outside, 'report.html'), 'utf8')).toBe('precious')
})
