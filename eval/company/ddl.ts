import { TABLES, VIEWS } from './company.ts'
import type { Table } from './define.ts'
import { createTable } from './statements.ts'

/** One statement per table with its keys, comments and enum labels: the usual schema prompt of other tools. */
export const ddlOf = (): ReadonlyMap<string, string> =>
  new Map([
    ...TABLES.map((own) => [own.name, tableDdl(own)] as const),
    ...VIEWS.map(
      ({ name, about, sql }) => [name, `${about ? `-- ${about}\n` : ''}CREATE VIEW ${name} AS ${sql}`] as const,
    ),
  ])

function tableDdl(own: Table): string {
  const about = (name: string): string => {
    const { about, type, labels } = own.columns[name]!
    const said = [...(type.startsWith('enum ') ? [`one of ${labels!.join(', ')}`] : []), ...(about ? [about] : [])]
    return said.length > 0 ? ` -- ${said.join('; ')}` : ''
  }
  const lines = createTable('postgres', own, true)
    .split('\n')
    .map((line) => {
      const name = /^ {2}(\w+)/.exec(line)?.[1]
      return name !== undefined && own.columns[name] ? line + about(name) : line
    })
  return `${own.about ? `-- ${own.about}\n` : ''}${lines.join('\n')}`
}
