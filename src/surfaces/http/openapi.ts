import { z } from 'zod'
import { ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { spellDeep } from '../../kernel/domain/named-operation.ts'
import type { Operation } from '../../operations/operation.ts'
import { FOR_PROGRAMS } from '../../operations/spelling.ts'
import { KEY_PARAMETER, takesKey } from './idempotency-key.ts'

const ERROR = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: { code: { type: 'string' }, message: { type: 'string' }, hint: { type: 'string' } },
      required: ['code', 'message'],
    },
  },
}

const PLACE = [
  {
    name: 'X-Ken-Project',
    in: 'header',
    description: 'Id or name of the project; ?project= in the URL does the same.',
    schema: { type: 'string' },
  },
  {
    name: 'X-Ken-Directory',
    in: 'header',
    description: 'Absolute path of the folder the client works in; ?directory= in the URL does the same.',
    schema: { type: 'string' },
  },
]

/** The REST surface as OpenAPI 3.1, generated from the registry. */
export function openApi(
  operations: readonly Operation[],
  { version, takesKeys = false }: { readonly version: string; readonly takesKeys?: boolean },
): Record<string, unknown> {
  const statuses = [...new Set(Object.values(ERROR_TABLE).map((row) => row.http))]
  const failures = Object.fromEntries(
    statuses.map((status) => [status, { description: 'Failure', content: { 'application/json': { schema: ERROR } } }]),
  )
  const paths = operations
    .filter((op) => op.hiddenFrom.http === undefined)
    .map((op) => [
      `/v1/${op.name}`,
      {
        post: {
          operationId: op.name,
          summary: op.summary,
          parameters: takesKeys && takesKey(op) ? [...PLACE, KEY_PARAMETER] : PLACE,
          requestBody: { content: { 'application/json': { schema: z.toJSONSchema(op.input, { io: 'input' }) } } },
          responses: {
            200: { description: op.title, content: { 'application/json': { schema: z.toJSONSchema(op.output) } } },
            ...failures,
          },
        },
      },
    ])
  return {
    openapi: '3.1.0',
    info: { title: 'Ken', version },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths: spellDeep(Object.fromEntries(paths), FOR_PROGRAMS),
  }
}
