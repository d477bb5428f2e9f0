import type { ModelCall } from '../../analyst/ports/model-calls.ts'
import { given, isSet, type Row } from './given.ts'

export const callOf = (row: Row): ModelCall => ({
  id: String(row['id']),
  user: String(row['user']),
  project: String(row['project']),
  ...given('chat', row['chat']),
  ...given('message', row['message']),
  purpose: row['purpose'] as ModelCall['purpose'],
  model: String(row['model']),
  usage: {
    input: Number(row['input']),
    output: Number(row['output']),
    cached: Number(row['cached']),
    reasoning: Number(row['reasoning']),
    ...(row['cost'] !== null && { cost: Number(row['cost']) }),
  },
  milliseconds: Number(row['milliseconds']),
  failed: isSet(row['failed']),
  at: String(row['at']),
})

/** Columns of a call in the order in which both databases insert them; they keep `failed` in their own type. */
export const callColumns = <F>({ usage, ...call }: ModelCall, failed: F) =>
  [
    call.id,
    call.user,
    call.project,
    call.chat ?? null,
    call.message ?? null,
    call.purpose,
    call.model,
    usage.input,
    usage.output,
    usage.cached,
    usage.reasoning,
    usage.cost ?? null,
    call.milliseconds,
    failed,
    call.at,
  ] as const
