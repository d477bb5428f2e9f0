import type { SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { SearchScope } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { CodeGraph } from '../../ports/code-graph.ts'
import { graphOfOutlines, type StoredOutline } from '../graph-of-outlines.ts'
import { scopePredicate } from './scope-predicate.ts'

type InProject = <T>(work: (sql: SqlSession) => Promise<T>) => Promise<T>

const COLUMNS = { path: 'd.path', definitions: 'o.definitions', calls: 'o.calls' }

/** Only outlines that match the request leave the server. */
export function openCodeGraph(inProject: InProject, project: string): CodeGraph {
  const rows = <Row extends object>(
    select: string,
    within: SearchScope['within'],
    condition: (values: SqlValue[]) => string,
  ) => {
    const values: SqlValue[] = [project]
    const text = `${select} WHERE d.project = $1${scopePredicate({ within }, values)}${condition(values)}`
    return inProject((sql) => sql.query<Row>(text, values))
  }
  return graphOfOutlines({
    all: (within, holding) =>
      rows<StoredOutline>(
        `SELECT d.path, o.definitions, o.imports, o.calls FROM ken.index_outlines o
         JOIN ken.index_documents d ON d.project = o.project AND d.id = o.document`,
        within,
        (values) =>
          holding === undefined
            ? ''
            : ` AND position($${values.push(holding.text)}::text IN ${COLUMNS[holding.part]}) > 0`,
      ),
    paths: async (within) =>
      (
        await rows<{ path: string }>(
          'SELECT d.path FROM ken.index_documents d',
          within,
          () => ` AND d.origin = 'code' ORDER BY d.path COLLATE "C", d.collection COLLATE "C"`,
        )
      ).map(({ path }) => path),
  })
}
