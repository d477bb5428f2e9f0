import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { QueryResult } from '../domain/sql/query.ts'

/** Writes rows as a Parquet file. Accesses only the rows it is given. */
export interface ParquetWriter {
  /** Bytes of the file. Types are kept as far as Parquet has them; a column of mixed types becomes text. */
  write(result: Pick<QueryResult, 'columns' | 'rows'>, signal?: StopSignal): Promise<Uint8Array>
}
