import { type Launcher, SERVE } from './client.ts'

/** pi speaks no MCP; this extension starts Ken's server and offers its tools as pi's own. */
export function piTools(launcher: Launcher): string {
  const [program, ...rest] = launcher
  return `// Written by Ken (\`ken setup pi\`); \`ken setup pi --remove\` takes it away.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const PROGRAM = ${JSON.stringify(program)}
const ARGUMENTS = ${JSON.stringify([...rest, ...SERVE])}
const PATIENCE = 10000

export default async function (pi) {
  const server = start()
  pi.on('session_shutdown', () => server.stop())
  try {
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pi', version: '1' } }
    const { instructions } = await server.ask('initialize', hello, AbortSignal.timeout(PATIENCE))
    server.tell('notifications/initialized')
    const { tools } = await server.ask('tools/list', {}, AbortSignal.timeout(PATIENCE))
    for (const tool of tools) pi.registerTool(definition(server, tool))
    if (instructions) pi.on('before_agent_start', ({ systemPrompt }) => ({ systemPrompt: systemPrompt + '\\n\\n' + instructions }))
  } catch {
    // Without its server pi works as it did before.
    server.stop()
  }
}

${DEFINITION}
${SERVER}`
}

/** pi has no hook commands; this extension runs them and gives their answer to the model with the prompt. */
export function piHooks(launcher: Launcher): string {
  const [program, ...rest] = launcher
  return `// Written by Ken (\`ken setup pi --with-hooks\`); \`ken setup pi --remove\` takes it away.
import { spawn } from 'node:child_process'

const PROGRAM = ${JSON.stringify(program)}
const ARGUMENTS = ${JSON.stringify([...rest, 'hook'])}

export default function (pi) {
  let source = 'startup'
  pi.on('session_start', ({ reason }) => { source = reason })
  pi.on('session_compact', () => { source = 'compact' })
  pi.on('before_agent_start', async ({ prompt }, ctx) => {
    const session = { session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd }
    const start = source === undefined ? '' : ask('session-start', { ...session, source })
    source = undefined
    const answers = await Promise.all([start, ask('prompt', { ...session, prompt })])
    const content = answers.filter((answer) => answer !== '').join('\\n\\n')
    return content === '' ? undefined : { message: { customType: 'ken', content, display: false } }
  })
}

function ask(event, payload) {
  return new Promise((resolve) => {
    let answer = ''
    const child = spawn(PROGRAM, [...ARGUMENTS, event, '--client', 'pi'], { cwd: payload.cwd, stdio: ['pipe', 'pipe', 'ignore'], timeout: 5000 })
    child.on('error', () => resolve(''))
    child.on('close', () => resolve(answer.trim()))
    child.stdout.on('data', (chunk) => { answer += chunk })
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}
`
}

/** A tool of the server as one of pi's. */
const DEFINITION = `function definition(server, { name, title, description, inputSchema }) {
  return {
    name: 'ken_' + name,
    label: title ?? name,
    description,
    promptSnippet: title ?? name,
    parameters: inputSchema,
    async execute(id, input, signal) {
      const { content, isError } = await server.ask('tools/call', { name, arguments: input }, signal)
      const shown = content.filter(({ type }) => type === 'text' || type === 'image')
      if (isError) throw new Error(shown.map(({ text }) => text ?? '').join('\\n'))
      return { content: shown, details: {} }
    },
  }
}
`

/** The part of MCP over standard input and output that is needed to call tools. */
const SERVER = `function start() {
  const child = spawn(PROGRAM, ARGUMENTS, { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map()
  let last = 0
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  const fail = () => {
    for (const { reject } of waiting.values()) reject(new Error('The server of Ken has stopped.'))
    waiting.clear()
  }
  child.on('error', fail)
  child.on('close', fail)
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    let message
    try {
      message = JSON.parse(line)
    } catch {
      return
    }
    if (message.method !== undefined) {
      if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: 'not offered' } })
      return
    }
    const caller = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) caller?.reject(new Error(message.error.message))
    else caller?.resolve(message.result)
  })
  return {
    tell: (method, params) => send({ method, params }),
    ask(method, params, signal) {
      const id = ++last
      return new Promise((resolve, reject) => {
        if (child.exitCode !== null) return reject(new Error('The server of Ken has stopped.'))
        waiting.set(id, { resolve, reject })
        signal?.addEventListener('abort', () => {
          if (!waiting.delete(id)) return
          send({ method: 'notifications/cancelled', params: { requestId: id } })
          reject(signal.reason)
        })
        send({ id, method, params })
      })
    },
    stop: () => child.stdin.end(),
  }
}
`
