// Prints what each real client does with the packed package: `npm run matrix -- --clients <folder>[:<folder>] [names]`.
// npm installed the clients in these folders; without --clients, KEN_CLIENTS lists them.
import { parseArgs } from 'node:util'
import { clientMatrix, foldersIn, isGood } from './client-matrix.ts'
import type { Trial } from './try-client.ts'

const { values, positionals } = parseArgs({ options: { clients: { type: 'string' } }, allowPositionals: true })
const folders = foldersIn(values.clients ?? process.env['KEN_CLIENTS'])
const HEAD = [
  'client',
  'over',
  'tools',
  'hook at start',
  'hook at prompt',
  'AGENTS.md',
  "server's words",
  'skills',
  'remove',
]

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const times = (count: number): string => (count === 0 ? 'no' : count === 1 ? 'once' : `${count} times`)

function cellsOf(trial: Trial): string[] {
  const left = [...new Set([...trial.leftAtOnce, ...trial.leftAfterUse])]
  return [
    trial.tools ? 'answered' : 'no',
    times(trial.sessionHook),
    times(trial.promptHook),
    times(trial.block),
    times(trial.serverInstructions),
    String(trial.skills.length),
    left.length === 0 ? 'every byte' : `left: ${left.join(', ')}`,
  ]
}

console.log(`${row(HEAD)}\n${row(HEAD.map(() => '---'))}`)
let failed = 0
for await (const { client, transport, trial } of clientMatrix(folders, positionals)) {
  console.log(row([client.program, transport, ...(typeof trial === 'string' ? [trial] : cellsOf(trial))]))
  if (typeof trial === 'string' || isGood(trial)) continue
  failed++
  console.error(trial.printed.replaceAll(/^/gm, '    '))
}
process.exitCode = failed === 0 ? 0 : 1
