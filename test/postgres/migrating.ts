// Migrates on command and reports the result: `node migrating.ts <url>`.
import { once } from 'node:events'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'

const database = await openPostgresDatabase({ url: process.argv[2]! })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const { done } = await migrate(database, { clock: { now: () => new Date() } })
await database.close()
process.stdout.write(`${JSON.stringify(done)}\n`, () => process.exit(0))
