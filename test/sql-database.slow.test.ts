import { tracedDatabase } from '../src/database/traced.ts'
import type { Tracer } from '../src/kernel/ports/tracer.ts'
import { describeSqlDatabase } from './contract/sql-database.contract.ts'
import { openNewDatabase } from './postgres/run-server.ts'

describeSqlDatabase('PostgreSQL', () => openNewDatabase())

const nobodyHears: Tracer = { span: (_name, _options, work) => work(() => undefined), close: async () => undefined }

describeSqlDatabase('with traces', async () => tracedDatabase(await openNewDatabase(), nobodyHears))
