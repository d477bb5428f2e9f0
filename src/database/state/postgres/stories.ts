import type { Stories } from '../../../analyst/ports/stories.ts'
import type { SqlValue } from '../../../kernel/ports/sql-database.ts'
import { json } from '../given.ts'
import { noStory, taken } from '../missing.ts'
import { dataOf, storyOf, versionOf } from '../story-rows.ts'
import { asList, type ScopedRows } from './scoped-rows.ts'

export const STORY = 'SELECT *, person AS "user" FROM ken.stories'
const OWN_FIRST = "ORDER BY (person = current_setting('ken.person', true)) DESC NULLS LAST, place LIMIT 1"
/** Story with the id `$1`. */
export const ONE_STORY = `(SELECT id, project, person FROM ken.stories WHERE id = $1 ${OWN_FIRST})`
const OF_STORY = 'part.story = story.id AND part.project = story.project AND part.person = story.person'

export function storiesIn(rows: ScopedRows): Stories {
  return {
    create: (story, version) =>
      rows.within(async (ask) => {
        const [known] = await ask(
          'SELECT id = $1 AS same FROM ken.stories WHERE id = $1 OR (project = $2 AND slug = $3) ORDER BY 1 DESC LIMIT 1',
          story.id,
          story.project,
          story.slug,
        )
        if (known !== undefined) throw taken('story', known['same'] === true ? story.id : story.slug)
        const [added] = await ask(
          `WITH story AS (
             INSERT INTO ken.stories (id, person, project, folder, chat, slug, title, created_at, updated_at, archived_at,
               schedule, last_refresh, versions) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             ON CONFLICT DO NOTHING RETURNING id, project, person),
           first AS (
             INSERT INTO ken.story_versions (story, project, person, version, at, author, text)
             SELECT id, project, person, $13::int, $14::timestamptz, $15::text, $16::text FROM story)
           SELECT 1 FROM story`,
          story.id,
          story.user,
          story.project,
          story.folder,
          story.chat ?? null,
          story.slug,
          story.title,
          story.createdAt,
          story.updatedAt,
          story.archivedAt ?? null,
          json(story.schedule),
          json(story.lastRefresh),
          version.version,
          version.at,
          version.by,
          version.text,
        )
        // Another transaction has committed the same since.
        if (added === undefined) throw taken('story', story.slug)
      }),
    async find(story) {
      const [row] =
        'id' in story
          ? await rows.ask(`${STORY} WHERE id = $1 ${OWN_FIRST}`, story.id)
          : await rows.ask(`${STORY} WHERE project = $1 AND slug = $2 ${OWN_FIRST}`, story.project, story.slug)
      return row && storyOf(row)
    },
    list: async ({ user, project, archived = false, scheduled = false }) =>
      (
        await rows.ask(
          `${STORY} WHERE person = $1 AND ($2::text IS NULL OR project = $2) AND (archived_at IS NOT NULL) = $3
           AND (NOT $4 OR schedule IS NOT NULL) ORDER BY updated_at DESC, place DESC`,
          user,
          project ?? null,
          archived,
          scheduled,
        )
      ).map(storyOf),
    async change(id, { title, archivedAt, schedule }) {
      const sets: [string, SqlValue][] = []
      if (title !== undefined) sets.push(['title', title])
      if (archivedAt !== undefined) sets.push(['archived_at', archivedAt])
      if (schedule !== undefined) sets.push(['schedule', schedule && JSON.stringify(schedule)])
      const set = ['id = id', ...sets.map(([column], index) => `${column} = $${index + 2}`)].join(', ')
      const values = sets.map(([, value]) => value)
      const [changed] = await rows.ask(`UPDATE ken.stories SET ${set} WHERE id = $1 RETURNING 1`, id, ...values)
      if (changed === undefined) throw noStory(id)
    },
    async addVersion({ story, at, by, text }) {
      const [row] = await rows.ask(
        `WITH story AS (
           UPDATE ken.stories SET updated_at = $2, versions = versions + 1 WHERE id = $1
           RETURNING id, project, person, versions),
         added AS (
           INSERT INTO ken.story_versions (story, project, person, version, at, author, text)
           SELECT id, project, person, versions, $2::timestamptz, $3::text, $4::text FROM story)
         SELECT versions FROM story`,
        story,
        at,
        by,
        text,
      )
      if (row === undefined) throw noStory(story)
      return Number(row['versions'])
    },
    versions: async (story) =>
      (
        await rows.ask(
          `SELECT part.* FROM ${ONE_STORY} AS story JOIN ken.story_versions AS part ON ${OF_STORY} ORDER BY version`,
          story,
        )
      ).map(versionOf),
    keepRefresh: (story, refresh, data) =>
      rows.within(async (ask) => {
        const [row] = await ask(
          'UPDATE ken.stories SET last_refresh = $2 WHERE id = $1 RETURNING project, person',
          story,
          JSON.stringify(refresh),
        )
        if (row === undefined) throw noStory(story)
        if (!refresh.ok) return
        const whose = [story, String(row['project']), String(row['person'])]
        await ask('DELETE FROM ken.story_data WHERE story = $1 AND project = $2 AND person = $3', ...whose)
        await ask(
          `INSERT INTO ken.story_data (story, project, person, query, database, sql, result, at)
           SELECT $1::text, $2::text, $3::text, query, database, sql, result, at FROM jsonb_to_recordset($4::text::jsonb)
             AS part(query text, database text, sql text, result text, at timestamptz)`,
          ...whose,
          asList(data),
        )
      }),
    data: async (story) =>
      (
        await rows.ask(
          `SELECT part.* FROM ${ONE_STORY} AS story JOIN ken.story_data AS part ON ${OF_STORY} ORDER BY query`,
          story,
        )
      ).map(dataOf),
  }
}
