import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { StoryComments } from '../../../analyst/ports/story-comments.ts'
import { commentOf } from '../comment-rows.ts'
import { json } from '../given.ts'
import { noStory } from '../missing.ts'
import type { Tables } from './tables.ts'

export const storyCommentsIn = (tables: Tables): StoryComments => ({
  add: ({ id, story, thread, begunAt, user, at, kind, byAgent, text, anchor }) =>
    tables.write(() => {
      const added = tables.run(
        `INSERT INTO story_comment (id, story, thread, begun_at, user, at, kind, by_agent, text, anchor)
         SELECT ?, id, ?, ?, ?, ?, ?, ?, ?, ? FROM story WHERE id = ?`,
        id,
        thread,
        begunAt,
        user,
        at,
        kind,
        Number(byAgent),
        keptText(text),
        json(anchor),
        story,
      )
      if (added === 0) throw noStory(story)
    }),
  list: async (story) => tables.all('SELECT * FROM story_comment WHERE story = ? ORDER BY place', story).map(commentOf),
  async remove(id) {
    const removed = await tables.write(() => tables.run('DELETE FROM story_comment WHERE id = ?', id))
    if (removed > 0) tables.checkpoint()
    return removed > 0
  },
})
