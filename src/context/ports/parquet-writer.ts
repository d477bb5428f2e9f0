import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { QueryResult } from '../domain/sql/query.ts'

/** Writes rows as a Parquet file. Sees nothing but the rows it is given. */
export interface ParquetWriter {
  /** The bytes of the file. Types are kept as far as Parquet has them; a column that mixes them becomes text. */
  write(result: Pick<QueryResult, 'columns' | 'rows'>, signal?: StopSignal): Promise<Uint8Array>
}
