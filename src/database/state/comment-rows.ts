import type { StoryComment } from '../../analyst/domain/story/comment.ts'
import { givenJson, isSet, type Row } from './given.ts'

export const commentOf = (row: Row): StoryComment => ({
  id: String(row['id']),
  story: String(row['story']),
  thread: String(row['thread']),
  begunAt: String(row['begun_at']),
  user: String(row['user']),
  at: String(row['at']),
  kind: row['kind'] as StoryComment['kind'],
  byAgent: isSet(row['by_agent']),
  text: String(row['text']),
  ...givenJson<'anchor', NonNullable<StoryComment['anchor']>>('anchor', row['anchor']),
})
