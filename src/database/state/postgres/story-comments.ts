import type { StoryComments } from '../../../analyst/ports/story-comments.ts'
import { commentOf } from '../comment-rows.ts'
import { json } from '../given.ts'
import { noStory } from '../missing.ts'
import { OWN, type ScopedRows } from './scoped-rows.ts'
import { ONE_STORY } from './stories.ts'

export const storyCommentsIn = (rows: ScopedRows): StoryComments => ({
  async add({ id, story, thread, begunAt, user, at, kind, byAgent, text, anchor }) {
    const [added] = await rows.ask(
      `INSERT INTO ken.story_comments (story, project, owner, id, person, thread, begun_at, at, kind, by_agent, text,
         anchor)
       SELECT story.id, story.project, story.person, $2::text, $3::text, $4::text, $5::timestamptz, $6::timestamptz,
         $7::text, $8::boolean, $9::text, $10::text FROM ${ONE_STORY} AS story RETURNING 1`,
      story,
      id,
      user,
      thread,
      begunAt,
      at,
      kind,
      byAgent,
      text,
      json(anchor),
    )
    if (added === undefined) throw noStory(story)
  },
  list: async (story) =>
    (
      await rows.ask(
        `SELECT comment.*, comment.person AS "user" FROM ${ONE_STORY} AS story JOIN ken.story_comments AS comment
         ON comment.story = story.id AND comment.project = story.project AND comment.owner = story.person
         ORDER BY comment.place`,
        story,
      )
    ).map(commentOf),
  remove: async (id) =>
    (await rows.ask(`DELETE FROM ken.story_comments WHERE id = $1 AND ${OWN} RETURNING 1`, id)).length > 0,
})
