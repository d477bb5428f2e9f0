import { AppError } from '../../kernel/domain/errors.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { slugify } from '../../record/domain/decision/decision-id.ts'
import { isHeader } from '../domain/examples/read-examples.ts'
import { splitStatements } from '../domain/sql/split-statements.ts'
import type { ContextProject } from '../ports/context-project.ts'

interface NewExample {
  readonly question: string
  readonly name: string | undefined
  readonly sql: string
  readonly database: string
}

/** Writes an executed statement as `queries/<name>.sql` under its question, and returns the path. Never overwrites. */
export async function saveExample(
  project: ContextProject,
  { question, name, sql, database }: NewExample,
): Promise<string> {
  const slug = slugify(name ?? question)
  if (slug === '')
    throw new AppError('invalid_input', `"${name ?? question}" is not usable as a file name.`, {
      hint: 'Pass --name with letters or digits.',
    })
  const path = `queries/${slug}.sql`
  if ((await project.tree.size(path)) !== undefined)
    throw new AppError('conflict', `${path} already exists.`, { hint: 'Choose another name with --name.' })
  const { statements } = splitStatements(sql)
  const statement = statements.find((one) => one.sql !== '')
  const comments = (statement?.comments ?? []).filter((line) => line !== '' && !isHeader(line))
  const several = project.config.databases.length > 1
  const text = [
    `-- question: ${visibleLine(question)}`,
    ...(several ? [`-- database: ${database}`] : []),
    ...comments.map((line) => `-- ${line}`),
    `${statement?.sql ?? sql.trim()};`,
    '',
  ].join('\n')
  if ((await project.redact(text)).count > 0)
    throw new AppError('invalid_input', 'The statement or the question holds a secret, so it is not saved.', {
      hint: 'An example goes into the repository: write it without the secret.',
    })
  await project.tree.write(path, text)
  return path
}
