import { ERROR_TABLE, type AppError } from '../../../kernel/domain/errors.ts'
import { visibleDeep } from '../../../kernel/domain/trust/visible.ts'

/** Response for a failed route that is not an operation; `details.status` overrides the status. */
export function routeFailure({ code, message, hint, details }: AppError): Response {
  const status = details?.['status']
  return Response.json(visibleDeep({ error: { code, message, ...(hint && { hint }) } }), {
    status: typeof status === 'number' ? status : ERROR_TABLE[code].http,
  })
}
