import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../src/adapters/database/migrate.ts'
import { openPostgresIndex } from '../src/adapters/index/postgres/index.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { describeSearchIndex } from './contract/search-index.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

let database: SqlDatabase
let projects = 0
const open = () => openPostgresIndex({ database, project: `project-${++projects}` })

beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: { now: () => new Date(0) } })
})
afterAll(() => database.close())

describeSearchIndex('PostgreSQL in this process', open)
