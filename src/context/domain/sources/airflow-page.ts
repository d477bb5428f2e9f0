import { withoutHidden } from '../../../kernel/domain/trust/visible.ts'
import type { AirflowDag } from './airflow-dags.ts'
import type { AirflowTask } from './airflow-task.ts'
import { cutWhole } from './cut-whole.ts'
import type { LineageFact } from './lineage.ts'

/** A DAG in a few lines: its schedule, its tasks with their inputs and outputs, and their order. */
export function airflowPage(dag: AirflowDag): string {
  const facts = [
    `Airflow DAG in \`${dag.file}\`.`,
    dag.schedule !== undefined && `Schedule: ${code(dag.schedule)}.`,
    dag.owner !== undefined && `Owner: ${dag.owner}.`,
    dag.tags.length > 0 && `Tags: ${dag.tags.join(', ')}.`,
  ].filter((fact) => typeof fact === 'string')
  const after = Map.groupBy(dag.edges, ([, second]) => second)
  const groups = [...after.keys()].filter((id) => !dag.tasks.some((task) => task.id === id))
  const before = (id: string): string => (after.get(id) ?? []).map(([first]) => first).join(', ')
  const text = [
    `# ${dag.id}`,
    oneLine(facts.join(' ')),
    ...(dag.about === undefined || dag.about.trim() === '' ? [] : [cutWhole(dag.about.trim(), 5_000)]),
    dag.tasks.length === 0
      ? 'Its tasks are made when it runs; the file does not name them.'
      : [
          '## Tasks',
          '',
          ...dag.tasks.map((task) => taskLine(task, before(task.id))),
          ...groups.map((id) => `- ${id}: after ${before(id)}`),
        ].join('\n'),
  ]
  return `${withoutHidden(cutWhole(text.join('\n\n'), 100_000))}\n`
}

function taskLine({ id, operator, reads, writes, uses, inlets, outlets }: AirflowTask, before: string): string {
  const parts = [
    operator,
    before !== '' && `after ${before}`,
    writes.length + outlets.length > 0 && `writes ${[...writes, ...outlets].join(', ')}`,
    reads.length + inlets.length > 0 && `reads ${[...reads, ...inlets].join(', ')}`,
    uses.length > 0 && `names ${uses.join(', ')}`,
  ]
  return oneLine(`- ${id}: ${parts.filter((part) => part !== false).join('; ')}`)
}

export const airflowFacts = (dags: readonly AirflowDag[]): readonly LineageFact[] =>
  dags.flatMap(({ id, schedule, tasks }) =>
    tasks.flatMap((task) => {
      const fact = (writes: boolean) => (table: string) => ({ table, by: `${id}.${task.id}`, schedule, writes })
      return [...[...task.writes, ...task.outlets].map(fact(true)), ...[...task.reads, ...task.inlets].map(fact(false))]
    }),
  )

const code = (text: string): string => (/^[\w ]+$/.test(text) || text.startsWith('when ') ? text : `\`${text}\``)
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
