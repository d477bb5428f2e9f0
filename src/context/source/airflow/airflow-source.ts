import { readAirflowDags, type AirflowDag } from '../../domain/sources/airflow-dags.ts'
import { airflowFacts, airflowPage } from '../../domain/sources/airflow-page.ts'
import type { Source } from '../../ports/source.ts'
import { openLineageSource, type LineageParts } from '../lineage-source.ts'

/** DAGs of a folder, one page each, and the table that each writes. */
export function openAirflowSource(parts: LineageParts): Source {
  return openLineageSource('Airflow', parts, (files) => {
    const dags = files.flatMap(({ path, statements, sqlFile }) => readAirflowDags(statements, path, sqlFile))
    return {
      pages: dags.map((dag) => ({ id: idOf(dag), title: dag.id, text: airflowPage(dag) })),
      facts: airflowFacts(dags),
    }
  })
}

const idOf = (dag: AirflowDag): string => `${dag.file}#${dag.id}`
