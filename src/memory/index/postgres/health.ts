import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import type { IndexHealth } from '../../ports/index-health.ts'
import { beginChange, endChange } from './head.ts'

type InProject = <T>(work: (sql: SqlSession) => Promise<T>) => Promise<T>

const UNFINISHED = Symbol('unfinished')

/** Health of the index. The server checks its pages; this only reports whether a rebuild has finished. */
export function openHealth(inProject: InProject, project: string): IndexHealth {
  return {
    async check() {
      const [head] = await inProject((sql) =>
        sql.query<{ unfinished: boolean }>('SELECT unfinished FROM ken.index_heads WHERE project = $1', [project]),
      )
      if (head?.unfinished === true) throw new IndexDamaged('it was being rebuilt and is not complete', UNFINISHED)
    },
    async renew(damage) {
      if (damage.cause === UNFINISHED) return
      await inProject(async (sql) => {
        await beginChange(sql, project)
        for (const table of ['documents', 'segments', 'leaves', 'vectors', 'outlines'])
          await sql.query(`DELETE FROM ken.index_${table} WHERE project = $1`, [project])
        // Chunk ids are never reused, so a late vector matches no chunk.
        await sql.query(
          `UPDATE ken.index_heads SET unfinished = true, epoch = epoch + 1, documents = 0, chunks = 0, length = 0, postings = 0,
             near_from = NULL
           WHERE project = $1`,
          [project],
        )
        await endChange(sql, project)
      })
    },
    async finish() {
      await inProject(async (sql) => {
        await beginChange(sql, project)
        await sql.query('UPDATE ken.index_heads SET unfinished = false WHERE project = $1', [project])
        await endChange(sql, project)
      })
    },
  }
}
