import type { Calls } from '../../../api/call.ts'

export type TableFacts = Calls['table_facts']['output']
export type ColumnFacts = TableFacts['columns'][number]
export type JoinFacts = TableFacts['joins'][number]
