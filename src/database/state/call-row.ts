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
