import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { openScriptedModel } from './scripted-model.ts'

const ask = async (url: string, text: string, more: object = {}) => {
  const body = { model: 'm', messages: [{ role: 'user', content: text }], ...more }
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
  return response.ok ? ((await response.json()) as any).choices[0].message : response.status
}

test('hundreds of concurrent conversations each follow their own script, step by step', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `<chat ${at}>`)
  const scripts = Object.fromEntries(names.map((name) => [name, [`first of ${name}`, `second of ${name}`]]))
  const model = await openScriptedModel([], { scripts })
  try {
    const talk = async (name: string) => [(await ask(model.url, name)).content, (await ask(model.url, name)).content]
    const answers = await Promise.all(names.map(talk))
    expect(answers).toEqual(names.map((name) => [`first of ${name}`, `second of ${name}`]))
    expect(model.requests).toHaveLength(600)
    expect(await ask(model.url, '<chat 7>')).toBe(400)
    expect(model.strays).toEqual([expect.stringContaining('<chat 7> has no step 3')])
  } finally {
    await model.close()
  }
})

test('a script can inspect the request, and fail once before it answers', async () => {
  const model = await openScriptedModel([{ fail: 503 }, ({ user }) => `You said ${user}.`])
  try {
    expect(await ask(model.url, 'hello')).toBe(503)
    expect(await ask(model.url, 'hello')).toMatchObject({ content: 'You said hello.' })
  } finally {
    await model.close()
  }
})

test('the scripted model runs as a separate process, from a file, and records its requests', async () => {
  const place = mkdtempSync(join(tmpdir(), 'ken-scripted-'))
  const [script, record] = [join(place, 'script.json'), join(place, 'requests.jsonl')]
  writeFileSync(
    script,
    JSON.stringify({ orders: [{ call: { tool: 'run_sql', input: { sql: 'SELECT 1' } } }], '': ['Hello.'] }),
  )
  const program = join(import.meta.dirname, 'scripted-model.ts')
  const child = spawn(process.execPath, [program, '--script', script, '--record', record], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    expect(await ask(url, 'How many orders?')).toMatchObject({ tool_calls: [{ function: { name: 'run_sql' } }] })
    expect(await ask(url, 'Who are you?')).toMatchObject({ content: 'Hello.' })
    const written = readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).user)
    expect(written).toEqual(['How many orders?', 'Who are you?'])
  } finally {
    child.kill()
    rmSync(place, { recursive: true, force: true })
  }
})
