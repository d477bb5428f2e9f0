// Replaces a client: follows its plan, and records how it was started. `node stand-in.ts plan.json …`
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan, Seen } from './plan.ts'

const [planPath, ...words] = process.argv.slice(2)
const plan = JSON.parse(readFileSync(planPath!, 'utf8')) as Plan

const short = plan.short?.[words.join(' ')]
if (short !== undefined) {
  process.stdout.write(short.prints)
  process.exit(short.code)
}

let input = ''
for await (const chunk of process.stdin) input += String(chunk)
const files = [...words, ...Object.values(process.env)].flatMap(
  (word) => word!.match(/\/[^{}"]+\.(?:json|md|toml)/g) ?? [],
)
const seen: Seen = {
  words,
  input,
  environment: process.env as Record<string, string>,
  folder: process.cwd(),
  files: Object.fromEntries(
    files.filter(existsSync).map((path) => [path.split('/').at(-1)!, readFileSync(path, 'utf8')]),
  ),
  pids: [process.pid],
}

const server = plan.withoutServer ? undefined : startServer()
await new Promise<void>((ready) => (server === undefined ? ready() : server.stdout!.once('data', () => ready())))
if (plan.ends === 'hang') {
  // A client's child process may ignore SIGTERM.
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], {
    stdio: 'inherit',
  })
  process.on('SIGTERM', () => {})
  seen.pids.push(child.pid!)
}
writeFileSync(plan.seen, JSON.stringify(seen))
for (const line of plan.prints) process.stdout.write(line)
if (plan.ends === 'hang') setInterval(() => {}, 1_000)
else if (plan.ends === 'killed') process.kill(process.pid, 'SIGKILL')
else if (plan.ends === 'flood')
  for (;;) {
    process.stdout.write('x'.repeat(60_000))
    await sleep(0)
  }
else {
  server?.stdin!.end()
  process.stderr.write(plan.complains ?? '')
  process.exitCode = plan.code ?? 0
}

/** Starts the server from the client's own configuration, which each client receives in a different way. */
function startServer() {
  const { command, environment } = configured()
  const server = spawn(command[0]!, command.slice(1), {
    env: { PATH: process.env['PATH']!, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  seen.pids.push(server.pid!)
  return server
}

function configured(): { command: string[]; environment: Record<string, string> } {
  if (plan.client === 'claude-code') {
    const { ken } = JSON.parse(seen.files['mcp.json']!).mcpServers
    return { command: [ken.command, ...ken.args], environment: ken.env }
  }
  if (plan.client === 'codex') {
    const setting = (name: string): any => {
      const text = words
        .find((word) => word.startsWith(`mcp_servers.ken.${name}=`))!
        .slice(`mcp_servers.ken.${name}=`.length)
      return JSON.parse(name === 'env' ? text.replace(/^\{(\w+)=/, '{"$1":') : text)
    }
    return { command: [setting('command'), ...setting('args')], environment: setting('env') }
  }
  if (plan.client === 'opencode') {
    const { ken } = JSON.parse(process.env['OPENCODE_CONFIG_CONTENT']!).mcp
    return { command: ken.command, environment: ken.environment }
  }
  const { ken } = JSON.parse(readFileSync('.gemini/settings.json', 'utf8')).mcpServers
  const expanded = Object.entries(ken.env as Record<string, string>).map(([name, value]) => [
    name,
    process.env[value.slice(1)]!,
  ])
  return { command: [ken.command, ...ken.args], environment: Object.fromEntries(expanded) }
}
