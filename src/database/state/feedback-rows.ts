import type { Draft, Feedback } from '../../analyst/domain/feedback/feedback.ts'
import { givenJson, parsed, type Row } from './given.ts'

export const voteOf = (row: Row): Feedback => ({
  message: String(row['message']),
  chat: String(row['chat']),
  user: String(row['user']),
  vote: row['vote'] as Feedback['vote'],
  reason: String(row['reason']),
  at: String(row['at']),
})

export const draftOf = (row: Row): Draft => ({
  id: String(row['id']),
  user: String(row['user']),
  project: String(row['project']),
  folder: String(row['folder']),
  kind: row['kind'] as Draft['kind'],
  title: String(row['title']),
  body: String(row['body']),
  from: parsed<Draft['from']>(row['source']),
  siblings: parsed<string[]>(row['siblings']),
  at: String(row['at']),
  ...givenJson<'settled', NonNullable<Draft['settled']>>('settled', row['settled']),
})
