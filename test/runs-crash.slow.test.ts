import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'
import { attempt, run } from './contract/analyst-samples.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-runs-crash-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('every stored attempt survives a killed process', async () => {
  const path = join(base, 'killed.db')
  const child = spawn(process.execPath, ['--input-type=module', '-e', KEEPS_ON], {
    env: { ...process.env, STATE: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let kept = 0
  for await (const chunk of child.stdout) {
    kept = Number(String(chunk).trim().split('\n').at(-1))
    if (kept >= 20) break
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  const state = await openSqliteAnalystState(path)
  expect((await state.runs.attempts('r1')).length).toBeGreaterThanOrEqual(kept)
  expect(await state.runs.find('r1', 'ada')).toEqual(run('r1'))
  await state.close()
})

const KEEPS_ON = `
import { openSqliteAnalystState } from ${JSON.stringify(new URL('../src/database/state/sqlite/analyst-state.ts', import.meta.url).href)}
const { runs } = await openSqliteAnalystState(process.env.STATE)
await runs.start(${JSON.stringify(run('r1'))})
for (let number = 1; ; number++) {
  await runs.add({ ...${JSON.stringify(attempt('a'))}, attempt: number })
  console.log(number)
}
`
