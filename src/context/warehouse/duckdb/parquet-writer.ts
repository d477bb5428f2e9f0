import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertInstalled } from '../../../kernel/system/optional-package.ts'
import { cellText, distinctNames } from '../../domain/results/cell-text.ts'
import { parquetTypes } from '../../domain/results/parquet-types.ts'
import type { ParquetWriter } from '../../ports/parquet-writer.ts'
import { DEFAULT_ENGINE_MEMORY, openEnginePool } from '../engine-pool.ts'
import type { ParquetTask } from './parquet-process.ts'

const WRITING = { milliseconds: 300_000 }

/** DuckDB's writer, in a process that has no database and may write only to its own folder. */
export const duckdbParquet: ParquetWriter = {
  async write({ columns, rows }, signal) {
    assertInstalled('@duckdb/node-api')
    const folder = await mkdtemp(join(tmpdir(), 'ken-parquet-'))
    const pool = openEnginePool<ParquetTask>({
      program: new URL('./parquet-process', import.meta.url),
      file: folder,
      engine: 'DuckDB',
      mostProcesses: 1,
      holdsFile: true,
      memory: DEFAULT_ENGINE_MEMORY,
    })
    try {
      const names = distinctNames(columns)
      const task: ParquetTask = {
        path: join(folder, 'result.parquet'),
        columns: columns.map((column, i) => ({
          name: names[i]!,
          types: parquetTypes(
            column,
            rows.map((row) => row[i] ?? null),
          ),
        })),
        rows: rows.map((row) => columns.map((column, i) => cellText(row[i] ?? null, column))),
      }
      await pool.run(task, WRITING, signal)
      return await readFile(task.path)
    } finally {
      await pool.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
