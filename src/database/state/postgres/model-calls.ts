import type { ModelCalls } from '../../../analyst/ports/model-calls.ts'
import { callColumns, callOf } from '../call-row.ts'
import type { ScopedRows } from './scoped-rows.ts'

export function modelCallsIn(rows: ScopedRows): ModelCalls {
  return {
    async keep(call) {
      await rows.ask(
        `INSERT INTO ken.model_calls (id, person, project, chat, message, purpose, model, input, output, cached,
           reasoning, cost, milliseconds, failed, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT DO NOTHING`,
        ...callColumns(call, call.failed),
      )
    },
    list: async ({ chat, user, project, since }) => {
      const wanted = [
        ['chat =', chat],
        ['person =', user],
        ['project =', project],
        ['at >=', since],
      ].filter((one): one is [string, string] => one[1] !== undefined)
      const where = ['TRUE', ...wanted.map(([condition], index) => `${condition} $${index + 1}`)].join(' AND ')
      return (
        await rows.ask(
          `SELECT *, person AS "user" FROM ken.model_calls WHERE ${where} ORDER BY place`,
          ...wanted.map(([, value]) => value),
        )
      ).map(callOf)
    },
    async spent({ since, user, project }) {
      const [row] = await rows.ask(
        `SELECT coalesce(sum(cost), 0) AS cost FROM ken.model_calls WHERE at >= $1
         AND ($2::text IS NULL OR person = $2) AND ($3::text IS NULL OR project = $3)`,
        since,
        user ?? null,
        project ?? null,
      )
      return Number(row!['cost'])
    },
  }
}
