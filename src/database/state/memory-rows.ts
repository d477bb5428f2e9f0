import type { MemoryEvidence, MemoryRow } from '../../analyst/domain/user-memory/memory-row.ts'
import type { MemoryEvent } from '../../analyst/ports/user-memories.ts'
import { given, givenJson, isSet, parsed, type Row } from './given.ts'
import type { RowEvent } from './memory-changes.ts'

export const memoryOf = (row: Row): MemoryRow => ({
  id: String(row['id']),
  user: String(row['user']),
  ...given('project', row['project']),
  category: row['category'] as MemoryRow['category'],
  content: String(row['content']),
  evidence: parsed<MemoryEvidence>(row['evidence']),
  createdAt: String(row['created_at']),
  updatedAt: String(row['updated_at']),
  ...given('supersededBy', row['superseded_by']),
  ...given('forgottenAt', row['forgotten_at']),
})

export type KeptEvent = RowEvent & { readonly change: number; readonly undone: boolean }

export const eventOf = (row: Row): KeptEvent => ({
  change: Number(row['change']),
  kind: row['kind'] as MemoryEvent['kind'],
  memory: String(row['memory']),
  ...givenJson<'before', MemoryRow>('before', row['before']),
  ...givenJson<'after', MemoryRow>('after', row['after']),
  at: String(row['at']),
  undone: isSet(row['undone']),
})

export const toldEvent = ({ before, after, ...event }: KeptEvent): MemoryEvent => ({
  ...event,
  ...(before && { before: before.content }),
  ...(after && { after: after.content }),
})
