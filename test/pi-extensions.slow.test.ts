import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { piHooks, piTools } from '../src/setup/domain/pi-extensions.ts'
import { KEN } from './ken-program.ts'

interface Tool {
  readonly name: string
  readonly parameters: { readonly type: string }
  execute(id: string, input: object, signal?: AbortSignal): Promise<{ content: readonly { text: string }[] }>
}

type Handler = (event: Record<string, unknown>, ctx: object) => unknown

/** The part of pi's extension API that these extensions use. */
class Pi {
  readonly tools = new Map<string, Tool>()
  readonly #handlers = new Map<string, Handler[]>()

  registerTool(tool: Tool): void {
    this.tools.set(tool.name, tool)
  }

  on(event: string, handler: Handler): void {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler])
  }

  async fire(event: string, data: Record<string, unknown> = {}): Promise<any> {
    const ctx = { cwd: folder, sessionManager: { getSessionId: () => 's-1' } }
    let last: unknown
    for (const handler of this.#handlers.get(event) ?? []) last = await handler(data, ctx)
    return last
  }
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ken-pi-extension-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program that does this in a separate process. */
function program(lines: string): readonly string[] {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, lines)
  return [process.execPath, file]
}

async function load(content: string): Promise<Pi> {
  const file = join(folder, 'extension.mjs')
  writeFileSync(file, content)
  const pi = new Pi()
  const { default: extension } = (await import(pathToFileURL(file).href)) as { default: (pi: Pi) => Promise<void> }
  await extension(pi)
  return pi
}

test('the tools of the server are pi’s, and answer from the record of the folder', async () => {
  const env = { ...process.env, HOME: folder, KEN_HOME: join(folder, 'ken-home'), KEN_UPKEEP: '0' }
  execFileSync('git', ['init', '-q'], { cwd: folder })
  execFileSync(process.execPath, [KEN, 'init', '--demo'], { cwd: folder, env, stdio: 'ignore' })
  const own = { HOME: env.HOME, KEN_HOME: env.KEN_HOME, KEN_UPKEEP: '0' }
  const start = `process.chdir(${JSON.stringify(folder)})
Object.assign(process.env, ${JSON.stringify(own)})
await import(${JSON.stringify(pathToFileURL(KEN).href)})`
  const pi = await load(piTools(program(start)))
  try {
    const check = pi.tools.get('ken_check_decision')!
    expect(check.parameters.type).toBe('object')
    const { content } = await check.execute('1', { proposed_approach: 'Move background jobs to RabbitMQ' })
    expect(content[0]?.text).toContain('Background jobs in a Postgres table')
    await expect(pi.tools.get('ken_get_decision')!.execute('2', { number: 999 })).rejects.toThrow('999')
    const { systemPrompt } = await pi.fire('before_agent_start', { systemPrompt: 'You are pi.' })
    expect(systemPrompt).toMatch(/^You are pi\.\n\n.*check_decision/s)
  } finally {
    await pi.fire('session_shutdown')
  }
}, 60_000)

test('without Ken there are no tools, and pi continues', async () => {
  const pi = await load(piTools([join(folder, 'nowhere')]))
  expect([...pi.tools]).toEqual([])
  expect(await pi.fire('before_agent_start', { systemPrompt: 'You are pi.' })).toBeUndefined()
})

test('hook output is added to the prompt: at the start, after a compaction, and for the prompt itself', async () => {
  const echo = `let input = ''
for await (const chunk of process.stdin) input += chunk
const { session_id, source, prompt } = JSON.parse(input)
if (prompt !== 'nothing') console.log([...process.argv.slice(2), session_id, source, prompt].join(' '))`
  const pi = await load(piHooks(program(echo)))
  const said = async (prompt: string) => (await pi.fire('before_agent_start', { prompt }))?.message
  await pi.fire('session_start', { reason: 'resume' })
  expect(await said('One')).toEqual({
    customType: 'ken',
    content: 'hook session-start --client pi s-1 resume\n\nhook prompt --client pi s-1  One',
    display: false,
  })
  expect(await said('Two')).toMatchObject({ content: 'hook prompt --client pi s-1  Two' })
  expect(await said('nothing')).toBeUndefined()
  await pi.fire('session_compact')
  expect(await said('nothing')).toMatchObject({ content: 'hook session-start --client pi s-1 compact' })
})
