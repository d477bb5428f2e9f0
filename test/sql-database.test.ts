import { describeSqlDatabase } from './contract/sql-database.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

describeSqlDatabase('PostgreSQL in this process', openPgliteDatabase)
