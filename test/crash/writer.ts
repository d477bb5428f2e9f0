// Records decisions until it is stopped, and prints which ones were acknowledged: `node writer.ts <folder> <name>
// <pause> [<step>]`. With a step it kills itself that many disk operations after starting a change.
import { writeSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [folder, name, pause, step] = process.argv.slice(2) as [string, string, string, string?]
// Most of a victim's life is its start; a killed process would never store its compiled code.
enableCompileCache(join(folder, 'compiled'))
const { systemClock } = await import('../../src/kernel/system/clock.ts')
const { openFileStore } = await import('../../src/record/store/files/index.ts')
const { dieAtStep } = await import('./die-at-step.ts')
const { recordOne } = await import('./record-one.ts')
flushCompileCache()

const project = { id: '01JQ0000000000000000000000', name: 'crash', mode: 'local', location: folder } as const
const count = step === undefined ? () => {} : dieAtStep(Number(step))
let running = false
process.stdin.on('data', (data) => {
  if (String(data).includes('go') && !running) void run()
  if (String(data).includes('stop')) running = false
})
writeSync(1, 'ready\n')

async function run(): Promise<void> {
  running = true
  const store = await openFileStore({
    root: join(folder, 'record'),
    project,
    cacheDir: join(folder, 'cache'),
    stateDir: join(folder, 'state'),
    clock: systemClock,
    lockTimeoutMs: 60_000,
  })
  for (let i = 0; running; i++) {
    const stem = await recordOne(store, `${name} ${process.pid} ${i}`, count)
    // Synchronous, so that every acknowledged write is reported.
    writeSync(1, `ack ${stem}\n`)
    if (Number(pause) > 0) await sleep(Number(pause))
  }
  await store.close()
  process.exit(0)
}
