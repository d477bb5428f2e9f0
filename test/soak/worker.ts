// One of the processes of a soak: repeats its task until stopped, then prints its result as JSON.
import { openKen } from '../../src/app/open.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import { ANCHORS, anchorWord } from './anchors.ts'

const [part] = process.argv.slice(2)
const errors: string[] = []
const lost: string[] = []
let rounds = 0
let isStopped = false
process.once('SIGTERM', () => (isStopped = true))

const ken = openKen(process.env, (message) => void errors.push(message))
const ctx = ken.context({ origin: { surface: 'cli' }, cwd: process.cwd() })
const run = async (name: string, input: Record<string, unknown>): Promise<Record<string, any>> =>
  (
    await call(
      ctx,
      OPERATIONS.find((op) => op.name === name)!,
      input,
    )
  ).output
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** An unchanged document must be found at every moment. */
async function search(): Promise<void> {
  const word = anchorWord(rounds % ANCHORS)
  const { results } = await run(rounds % 3 === 0 ? 'memory_query' : 'memory_search', { query: word, workspace: 'all' })
  if (results.length === 0) lost.push(word)
  await pause(20)
}

async function harvest(): Promise<void> {
  await run('harvest', {})
  await run('memory_write', { content: `Round ${rounds} of the soak.`, target: 'daily' })
  await pause(1_000)
}

while (!isStopped) {
  await (part === 'search' ? search() : harvest()).catch((error: unknown) => errors.push(String(error)))
  rounds++
}
await ken.close()
process.stdout.write(JSON.stringify({ rounds, errors, lost }))
