/**
 * Measures the overhead of the envelope around answers: `node bench/envelope.ts`. Prints bytes and estimated tokens of
 * typical MCP answers over the demo record, with and without the envelope, and of the label on structured answers.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKen } from '../src/app/open.ts'
import { estimateTokens } from '../src/context/domain/context-project/manifest.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'

const TYPICAL: readonly (readonly [string, Record<string, unknown>])[] = [
  ['get_context', {}],
  ['get_context', { level: 'L1' }],
  ['check_decision', { proposed_approach: 'Move background jobs to RabbitMQ' }],
  ['get_decision', { number: 4 }],
  ['list_decisions', {}],
  ['search_decisions', { query: 'queue' }],
  ['memory_search', { query: 'queue' }],
]

const place = mkdtempSync(join(tmpdir(), 'ken-envelope-'))
const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
const ask = (name: string, input: Record<string, unknown>) =>
  call(
    ken.context({ origin: { surface: 'cli' }, cwd: place }),
    OPERATIONS.find((op) => op.name === name)!,
    input,
  )
const bytes = (text: string): number => Buffer.byteLength(text)
await ask('init', { name: 'shop', demo: true })
await ask('memory_update', {})
console.log(['answer'.padEnd(34), 'bytes', 'envelope', 'share', 'tokens', 'envelope', 'label in JSON'].join('  '))
for (const [name, input] of TYPICAL) {
  const operation = OPERATIONS.find((op) => op.name === name)!
  const answer = await ask(name, input)
  const bare = [
    operation.own(answer.output as never, answer.input as never),
    operation.render(answer.output as never, answer.input as never),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  const whole = answerText(operation, answer, 'agent')
  const more = bytes(whole) - bytes(bare)
  const label = bytes(JSON.stringify({ label: answer.output['label'] })) - 1
  console.log(
    [
      `${name} ${JSON.stringify(input)}`.slice(0, 34).padEnd(34),
      String(bytes(bare)).padStart(5),
      String(more).padStart(8),
      `${((100 * more) / bytes(bare)).toFixed(1)}%`.padStart(5),
      String(estimateTokens(bare)).padStart(6),
      String(estimateTokens(whole) - estimateTokens(bare)).padStart(8),
      `${label} bytes`.padStart(13),
    ].join('  '),
  )
}
await ken.close()
rmSync(place, { recursive: true, force: true })
