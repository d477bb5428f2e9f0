import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { judgeInContext } from './sql-scope.ts'

export const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const queryId = z.string().regex(/^q_[0-9a-f]{12}$/, 'an id looks like q_0123456789ab')

const kept = z.object({
  database: z.string(),
  sql: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(cell)),
  cut: z.boolean(),
  notes: z.array(z.string()).default([]),
})

export type KeptResult = z.output<typeof kept>

/**
 * Result kept under a query id. The statement is judged again by the current context; rows are returned as kept, and
 * must be redacted again before display.
 */
export async function keptResult(project: ContextProject, id: string): Promise<KeptResult> {
  const text = await project.keptResult(id)
  if (text === undefined)
    throw new AppError('not_found', `Result ${id} not found or expired.`, {
      hint: 'Results expire after an hour. Run the statement again.',
    })
  const result = kept.parse(JSON.parse(text))
  const warehouse = await project.warehouse(result.database)
  const parsed = await warehouse.parse(result.sql)
  const { dialect } = warehouse
  const { verdict } = await judgeInContext(project, { database: result.database, parsed, dialect })
  if (!verdict.allowed)
    throw new AppError('forbidden', `The context no longer allows that statement: ${verdict.reason}.`, {
      hint: verdict.hint,
    })
  return result
}

export const redactRows = (project: ContextProject, rows: KeptResult['rows']): Promise<KeptResult['rows']> =>
  Promise.all(
    rows.map((row) =>
      Promise.all(row.map(async (value) => (typeof value === 'string' ? (await project.redact(value)).text : value))),
    ),
  )
