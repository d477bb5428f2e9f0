import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openPostgresStores, type PostgresStores } from '../src/record/store/postgres/index.ts'
import { offerRecord } from '../src/team/team-record/store.ts'
import { stepClock } from './contract/step-clock.ts'
import { describeTeamRecord } from './contract/team-record.contract.ts'
import { PROJECT } from './file-record.ts'
import { plantRecord } from './postgres/planted-record.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { runSeed } from './team/two-homes.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-team-record-'))
let database: SqlDatabase
let stores: PostgresStores
beforeAll(async () => {
  database = await openNewDatabase()
  await migrate(database, { clock: stepClock() })
  stores = await openPostgresStores({ database, clock: stepClock() })
})
afterAll(async () => {
  await stores.close()
  await database.close()
  rmSync(base, { recursive: true, force: true })
})

describeTeamRecord('over a store in PostgreSQL', {
  async open() {
    const machine = await openMemoryStore({ project: PROJECT, clock: stepClock() })
    return { team: offerRecord(stores.open(await plantRecord(database))), machine, close: async () => {} }
  },
})

test('two machines with a team record in PostgreSQL agree on every byte once both have synced', async () => {
  const figures = await runSeed(join(base, 'seed'), 3, 20, stores.open(await plantRecord(database)))
  expect(figures.edits).toBe(20)
  expect(figures.crashes).toBeGreaterThan(0)
})
