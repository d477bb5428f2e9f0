import type { ModelCalls } from '../../../analyst/ports/model-calls.ts'
import { callColumns, callOf } from '../call-row.ts'
import type { Tables } from './tables.ts'

export function modelCallsIn(tables: Tables): ModelCalls {
  return {
    keep: (call) =>
      tables.write(() => {
        tables.run(
          `INSERT INTO model_call (id, user, project, chat, message, purpose, model, input, output, cached, reasoning,
           cost, milliseconds, failed, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          ...callColumns(call, Number(call.failed)),
        )
      }),
    list: async ({ chat, user, project, since }) => {
      const wanted = [
        ['chat = ?', chat],
        ['user = ?', user],
        ['project = ?', project],
        ['at >= ?', since],
      ].filter((one): one is [string, string] => one[1] !== undefined)
      const where = ['TRUE', ...wanted.map(([condition]) => condition)].join(' AND ')
      return tables
        .all(`SELECT * FROM model_call WHERE ${where} ORDER BY place`, ...wanted.map(([, value]) => value))
        .map(callOf)
    },
    async spent({ since, user, project }) {
      const [row] = tables.all(
        `SELECT coalesce(sum(cost), 0) AS cost FROM model_call
         WHERE at >= ? AND (? IS NULL OR user = ?) AND (? IS NULL OR project = ?)`,
        since,
        user ?? null,
        user ?? null,
        project ?? null,
        project ?? null,
      )
      return Number(row!['cost'])
    },
  }
}
