import { tracedDatabase } from '../src/adapters/database/traced.ts'
import type { Tracer } from '../src/ports/tracer.ts'
import { describeSqlDatabase } from './contract/sql-database.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

describeSqlDatabase('PostgreSQL in this process', openPgliteDatabase)

const nobodyHears: Tracer = { span: (_name, _options, work) => work(() => undefined), close: async () => undefined }

describeSqlDatabase('with traces', async () => tracedDatabase(await openPgliteDatabase(), nobodyHears))
