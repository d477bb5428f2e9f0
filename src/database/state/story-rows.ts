import type { Story, StoryData, StoryRefresh, StoryVersion } from '../../analyst/domain/story/story.ts'
import { visibilityOf } from './chat-rows.ts'
import { given, givenJson, type Row } from './given.ts'

export const storyOf = (row: Row): Story => ({
  id: String(row['id']),
  user: String(row['user']),
  project: String(row['project']),
  folder: String(row['folder']),
  ...given('chat', row['chat']),
  slug: String(row['slug']),
  title: String(row['title']),
  createdAt: String(row['created_at']),
  updatedAt: String(row['updated_at']),
  ...given('archivedAt', row['archived_at']),
  ...givenJson<'schedule', NonNullable<Story['schedule']>>('schedule', row['schedule']),
  ...givenJson<'lastRefresh', StoryRefresh>('lastRefresh', row['last_refresh']),
  ...visibilityOf(row),
})

export const versionOf = (row: Row): StoryVersion => ({
  story: String(row['story']),
  version: Number(row['version']),
  at: String(row['at']),
  by: row['author'] as StoryVersion['by'],
  text: String(row['text']),
})

export const dataOf = (row: Row): StoryData => ({
  story: String(row['story']),
  query: String(row['query']),
  database: String(row['database']),
  sql: String(row['sql']),
  result: String(row['result']),
  at: String(row['at']),
})
