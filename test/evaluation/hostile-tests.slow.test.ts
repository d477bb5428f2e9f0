import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAnalystDesk, type AnalystDesk } from '../analyst/analyst-desk.ts'
import { GITHUB_TOKEN } from '../contract/secret-samples.ts'

// A folder of tests comes with a clone: its names, texts and links are untrusted.

const CASE = '- name: In words\n  prompt: Say something about orders\n  assert: [{ contains: orders }]\n'

let desk: AnalystDesk
beforeEach(async () => {
  desk = await openAnalystDesk(() => 'There are orders.')
  rmSync(join(desk.folder, 'tests'), { recursive: true })
})
afterEach(() => desk.close())

test('a file with a line break in its name is reported, and not read', async () => {
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

test('a run is reported although its results cannot be written, and nothing is written through a link', async () => {
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

/** Files below a folder that contain a text. */
const holding = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && readFileSync(join(one.parentPath, one.name)).includes(text))
    .map((one) => one.name)

test('a secret from a model, or from a test file, occurs nowhere in the files that a run leaves behind', async () => {
  desk.model.reply = () => `It is ${GITHUB_TOKEN}.`
  desk.write(
    'tests/first.yaml',
    `- name: Says\n  prompt: Say it, ${GITHUB_TOKEN}\n  assert: [{ contains: "no ${GITHUB_TOKEN}" }]\n  tags: ["${GITHUB_TOKEN}"]\n- nme: ${GITHUB_TOKEN}\n  ${GITHUB_TOKEN}: 1\n`,
  )
  const output = await desk.run('test_run', {})
  expect(JSON.stringify(output)).not.toContain(GITHUB_TOKEN)
  expect(holding(join(desk.folder, 'tests/outputs'), GITHUB_TOKEN)).toEqual([])
  for (const format of ['markdown', 'html', 'junit', 'json'])
    expect(JSON.stringify(await desk.run('test_report', { format, output: '-' }))).not.toContain(GITHUB_TOKEN)
  expect(JSON.stringify(await desk.run('test_show', { case: ['says'] }))).not.toContain(GITHUB_TOKEN)
  expect(holding(join(desk.home, '.ken'), GITHUB_TOKEN)).toEqual([])
})

test('a secret in a downvoted chat is not written to the test file', async () => {
  desk.model.reply = () => `It is ${GITHUB_TOKEN}.`
  await desk.ask(`Does ${GITHUB_TOKEN} work?`)
  await desk.run('feedback', { vote: 'down', reason: `No, ${GITHUB_TOKEN} is old.` })
  const { file } = (await desk.run('test_record', { feedback: 'last' })) as { file: string }
  expect(readFileSync(join(desk.folder, file), 'utf8')).not.toContain(GITHUB_TOKEN)
})
