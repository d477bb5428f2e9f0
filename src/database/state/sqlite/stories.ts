import type { SQLInputValue } from 'node:sqlite'
import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { Story, StoryVersion } from '../../../analyst/domain/story/story.ts'
import type { Stories } from '../../../analyst/ports/stories.ts'
import { json } from '../given.ts'
import { noStory, taken } from '../missing.ts'
import { dataOf, storyOf, versionOf } from '../story-rows.ts'
import type { Tables } from './tables.ts'

export function storiesIn(tables: Tables): Stories {
  const addVersion = ({ story, version, at, by, text }: StoryVersion): void => {
    tables.run('INSERT INTO story_version VALUES (?, ?, ?, ?, ?)', story, version, at, by, keptText(text))
  }
  return {
    create: (story, version) =>
      tables.write(() => {
        if (tables.one('SELECT 1 FROM story WHERE id = ?', story.id) !== undefined) throw taken('story', story.id)
        if (insert(tables, story) === 0) throw taken('story', story.slug)
        addVersion(version)
      }),
    async find(story) {
      const row =
        'id' in story
          ? tables.one('SELECT * FROM story WHERE id = ?', story.id)
          : tables.one('SELECT * FROM story WHERE project = ? AND slug = ?', story.project, story.slug)
      return row && storyOf(row)
    },
    list: async ({ user, project, archived = false, scheduled = false }) =>
      tables
        .all(
          `SELECT * FROM story WHERE user = ?1 AND (?2 IS NULL OR project = ?2) AND (archived_at IS NOT NULL) = ?3
           AND (schedule IS NOT NULL) >= ?4 ORDER BY updated_at DESC, place DESC`,
          user,
          project ?? null,
          Number(archived),
          Number(scheduled),
        )
        .map(storyOf),
    change: (id, { title, archivedAt, schedule }) =>
      tables.write(() => {
        const sets: [string, SQLInputValue][] = []
        if (title !== undefined) sets.push(['title', keptText(title)])
        if (archivedAt !== undefined) sets.push(['archived_at', archivedAt])
        if (schedule !== undefined) sets.push(['schedule', schedule && JSON.stringify(schedule)])
        const set = ['id = id', ...sets.map(([column]) => `${column} = ?`)].join(', ')
        if (tables.run(`UPDATE story SET ${set} WHERE id = ?`, ...sets.map(([, value]) => value), id) === 0)
          throw noStory(id)
      }),
    addVersion: (version) =>
      tables.write(() => {
        if (tables.run('UPDATE story SET updated_at = ? WHERE id = ?', version.at, version.story) === 0)
          throw noStory(version.story)
        const last = tables.one('SELECT max(version) AS last FROM story_version WHERE story = ?', version.story)
        const number = Number(last?.['last'] ?? 0) + 1
        addVersion({ ...version, version: number })
        return number
      }),
    versions: async (story) =>
      tables.all('SELECT * FROM story_version WHERE story = ? ORDER BY version', story).map(versionOf),
    keepRefresh: (story, refresh, data) =>
      tables.write(() => {
        if (tables.run('UPDATE story SET last_refresh = ? WHERE id = ?', JSON.stringify(refresh), story) === 0)
          throw noStory(story)
        if (!refresh.ok) return
        tables.run('DELETE FROM story_data WHERE story = ?', story)
        for (const { query, database, sql, result, at } of data)
          tables.run('INSERT INTO story_data VALUES (?, ?, ?, ?, ?, ?)', story, query, database, sql, result, at)
      }),
    data: async (story) => tables.all('SELECT * FROM story_data WHERE story = ? ORDER BY query', story).map(dataOf),
  }
}

const insert = (tables: Tables, story: Story): number =>
  tables.run(
    `INSERT INTO story (id, user, project, folder, chat, slug, title, created_at, updated_at, archived_at, schedule,
     last_refresh) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    story.id,
    story.user,
    story.project,
    story.folder,
    story.chat ?? null,
    story.slug,
    keptText(story.title),
    story.createdAt,
    story.updatedAt,
    story.archivedAt ?? null,
    json(story.schedule),
    json(story.lastRefresh),
  )
