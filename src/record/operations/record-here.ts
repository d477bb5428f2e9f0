import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'
import type { Store } from '../ports/store.ts'

/** The record of the project; undefined if the folder has none, for operations that also answer without a record. */
export const recordHere = (ctx: Given<'record'>, project?: string | undefined): Promise<Store | undefined> =>
  ctx.record(project).catch((error: unknown) => {
    if (project === undefined && error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
