import { readFileSync } from 'node:fs'
import { suppressWarnings } from '../kernel/domain/suppress-warnings.ts'
import { guardOutput } from '../surfaces/cli/guard-output.ts'

const [command, next] = process.argv.slice(2)
const isHelp = next === '--help' || next === '-h' || next === 'help'
suppressWarnings(process)
guardOutput(process)

// A hook runs on every prompt of every session, so it loads only the modules it needs.
if (command === 'hook' && !isHelp) {
  const { runHookProcess } = await import('./hook.ts')
  await runHookProcess(process.argv.slice(3))
} else if (command !== undefined && ['--version', '-V', '-v', 'version'].includes(command)) {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${process.argv.includes('--json') ? JSON.stringify({ version }, null, 2) : version}\n`)
} else if (command === 'merge-driver' && !isHelp) {
  const { mergeForGit } = await import('./merge-driver.ts')
  process.exitCode = await mergeForGit(process.argv.slice(3))
} else if (command === undefined && !process.stdin.isTTY && !process.stdout.isTTY && (await isClient())) {
  const { serve } = await import('./serve.ts')
  process.exitCode = await serve([], process.env)
} else if (command === 'serve') {
  const { serve } = await import('./serve.ts')
  process.exitCode = await serve(isHelp ? ['--help'] : process.argv.slice(3), process.env)
} else if (command === 'lsp') {
  const { lsp } = await import('./lsp.ts')
  process.exitCode = await lsp(isHelp ? ['--help'] : process.argv.slice(3), process.env)
} else if (command === 'app' || command === 'chat') {
  const { webApp } = await import('./web-app.ts')
  process.exitCode = await webApp(isHelp ? ['--help'] : process.argv.slice(3), process.env)
} else if (command === 'server') {
  const { teamCommand } = await import('./team/team-command.ts')
  process.exitCode = await teamCommand(isHelp ? ['--help'] : process.argv.slice(3), process.env)
} else if (command === 'auth') {
  const { authCommand } = await import('./auth/auth-command.ts')
  process.exitCode = await authCommand(isHelp ? ['--help'] : process.argv.slice(3), process.env)
} else {
  const { runCli } = await import('./cli.ts')
  process.exitCode = await runCli(process.argv.slice(2), process.env)
}

/**
 * Whether an MCP client started Ken: `npx -y kenbase` is a whole MCP command, and a client that runs it without
 * arguments gets the server.
 */
async function isClient(): Promise<boolean> {
  const { clientSpeaks } = await import('./client-speaks.ts')
  const speaks = await clientSpeaks(process.stdin)
  // An open stdin would keep the overview from ending.
  if (!speaks) process.stdin.destroy()
  return speaks
}
