import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'

// `ken test` on the record of this repository, in a copy: a run writes its report beside the cases.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-own-record-')))
cpSync(resolve(import.meta.dirname, '../.ken'), join(place, '.ken'), { recursive: true })
const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }, () => {})
afterAll(async () => {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

test('the cases about this project’s own record pass', async () => {
  const operation = OPERATIONS.find(({ name }) => name === 'test_run')!
  const { output } = await call(ken.context({ origin: { surface: 'cli' }, cwd: place }), operation, {})
  expect(output['cases']).toEqual([])
  expect(output).toMatchObject({ total: { failed: 0, broken: 0 } })
}, 60_000)
