import type { StoryComment } from '../domain/story/comment.ts'

/**
 * Comments on stories, in the order they were written. Every back end passes test/contract/story-comments.contract.ts;
 * test/postgres/state-walls.ts tests who sees them if several people share a state.
 */
export interface StoryComments {
  /** Throws `not_found` if the user cannot read the story. */
  add(comment: StoryComment): Promise<void>
  /** Lists the entries of a story that the user may read, oldest first. */
  list(story: string): Promise<readonly StoryComment[]>
  /** Deletes the user's own comment; false if there is none with this id. */
  remove(id: string): Promise<boolean>
}
