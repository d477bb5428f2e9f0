import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = `
import { openCacheDatabase } from ${JSON.stringify(join(import.meta.dirname, 'cache-database.ts'))}
let cache
process.on('message', ({ open, count }) => {
  if (open) {
    while (Date.now() < open.at);
    cache = openCacheDatabase(open.path)
    cache.setNumber('of ' + process.pid, 1)
  }
  process.send(count ? cache.rows('SELECT count(*) FROM numbers')[0][0] : 'done')
  if (count) cache.close()
})
process.send('ready')`

test('processes that open a new or unsealed cache at the same time share it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ken-cache-'))
  const processes = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  )
  onTestFinished(() => {
    for (const one of processes) one.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  const heard = () => Promise.all(processes.map(async (one) => (await once(one, 'message'))[0] as unknown))
  const tell = (message: object) => {
    const answers = heard()
    for (const one of processes) one.send(message)
    return answers
  }
  await heard()
  for (let round = 0; round < 25; round++) {
    const path = join(folder, String(round), 'cache.db')
    await tell({ open: { path, at: Date.now() + 10 } })
    expect(await tell({ count: true })).toEqual([4, 4, 4, 4])
    rmSync(`${path}.seal`, { force: true })
    await tell({ open: { path, at: Date.now() + 10 } })
    expect(await tell({ count: true })).toEqual([4, 4, 4, 4])
  }
})
