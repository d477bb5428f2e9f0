import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-debug-')))
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: place,
  KEN_HOME: join(place, 'home'),
  KEN_TELEMETRY: '0',
  KEN_UPKEEP: '0',
}
const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const STACK = /AppError: .*\n {4}at .*\.[jt]s:\d+/
afterAll(() => rmSync(place, { recursive: true, force: true }))

const ken = (debug: string | undefined, ...words: string[]) =>
  spawnSync(process.execPath, [KEN, ...words], {
    cwd: place,
    encoding: 'utf8',
    env: { ...env, ...(debug !== undefined && { KEN_DEBUG: debug }) },
  })

test('the command line prints the stack on standard error, without secrets, and the usual line', () => {
  const told = ken('1', 'check', 'anything', '--project', TOKEN)
  expect(told.stderr).toMatch(STACK)
  expect(told.stderr).toMatch(/\nken: No project/)
  expect(told.stderr).not.toContain(TOKEN)
  expect(told).toMatchObject({ status: 3, stdout: '' })
  for (const off of [undefined, '0', ''])
    expect(ken(off, 'check', 'anything').stderr).toMatch(
      /^ken: Not a Ken project: no \.ken folder here or in a parent folder\..*\n$/,
    )
})

test('a server on stdio prints the stack on standard error, and sends none of it to the agent', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [KEN, 'serve', '--stdio'],
    cwd: place,
    env: { ...env, KEN_DEBUG: '1' },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const answer = await client.callTool({ name: 'check_decision', arguments: { proposed_approach: 'anything' } })
  expect(JSON.stringify(answer)).not.toMatch(/\bat \S+\.[jt]s/)
  await client.close()
  expect(stderr).toMatch(STACK)
})

test('a server over HTTP prints the stack on its standard error, and sends none of it to the caller', async () => {
  const server = spawn(process.execPath, [KEN, 'serve', '--http', '--port', '0'], {
    cwd: place,
    env: { ...env, KEN_DEBUG: '1' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const told = tail(server)
  const url = await told.until(/http:\/\/127\.0\.0\.1:\d+/)
  await told.until(/Token (\S+)/)
  const token = readFileSync(join(env.KEN_HOME, 'http-token'), 'utf8').trim()
  const response = await fetch(`${url}/v1/check_decision`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ proposed_approach: 'anything', project_id: TOKEN }),
  })
  expect(response.status).toBe(404)
  expect(await response.text()).not.toMatch(/\bat \S+\.[jt]s/)
  expect(await told.until(STACK)).not.toContain(TOKEN)
  server.kill('SIGTERM')
  await once(server, 'exit')
})

test('a server that cannot start reports the reason in one line', async () => {
  const held = spawn(process.execPath, ['-e', SQUATTER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = (await once(held.stdout, 'data')) as [Buffer]
  const refused = ken(undefined, 'serve', '--http', '--port', String(port).trim())
  expect(refused.stderr).toMatch(/^ken: Port \d+ cannot be used: EADDRINUSE\. .*\n$/)
  expect(refused.status).toBe(7)
  held.stdin.end()
  await once(held, 'exit')
})

const SQUATTER = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.on('end', () => process.exit()).resume()`

/** Collects and awaits a process's standard error. */
function tail(child: ChildProcess) {
  let said = ''
  const more = new EventTarget()
  child.stderr!.on('data', (chunk) => {
    said += String(chunk)
    more.dispatchEvent(new Event('more'))
  })
  return {
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(said)) await once(more, 'more')
      return pattern.exec(said)![0]
    },
  }
}
