import { useState, type ReactNode } from 'react'
import { useAnswer } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { Button } from '../../kit/button.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentThread, type Thread } from './comment-thread.tsx'
import type { ShownStory } from './story-page.tsx'
import css from './comments.module.css'

export interface StoryCommenting {
  /** Slug or id of the story. */
  readonly story: string
  readonly version: number
  readonly threads: readonly Thread[]
  readonly canComment: boolean
  /** Whether every block offers to comment on it. */
  readonly isOn: boolean
  toggle(): void
}

export function useStoryComments({ slug, id, owner, version, newest }: ShownStory): StoryCommenting {
  const [isOn, setOn] = useState(false)
  const story = owner === undefined ? slug : id
  const { data } = useAnswer('story_comments', { slug: story, ...(version !== newest && { version }) }, { keep: true })
  return {
    story,
    version,
    threads: data?.threads ?? [],
    // Numbers of blocks count in the newest version.
    canComment: version === newest && isOffered('story_comment'),
    isOn,
    toggle: () => setOn(!isOn),
  }
}

interface BlockCommentsProps {
  readonly commenting: StoryCommenting
  /** Number of the block, from the top. */
  readonly block: number
  readonly children: ReactNode
}

/** A block with its open comments beside it, or below it where there is no room. */
export function BlockComments({ commenting, block, children }: BlockCommentsProps) {
  const { story, version, threads, canComment, isOn } = commenting
  const [isWriting, setWriting] = useState(false)
  const own = threads.filter((thread) => thread.block === block && thread.resolved === undefined)
  if (own.length === 0 && !isWriting && !(isOn && canComment)) return children
  return (
    <div className={css.block} data-commented="">
      <div className={css.main}>{children}</div>
      <div className={css.beside}>
        {own.map((thread) => (
          <CommentThread key={thread.id} story={story} thread={thread} />
        ))}
        {isWriting ? (
          <CommentForm
            story={story}
            label={`Comment on block ${block}`}
            about={{ block, version }}
            onDone={() => setWriting(false)}
          />
        ) : (
          isOn &&
          canComment && (
            <Button
              className={css.add}
              size="small"
              look="quiet"
              icon="plus"
              aria-label={`Comment on block ${block}`}
              onClick={() => setWriting(true)}
            >
              Comment
            </Button>
          )
        )}
      </div>
    </div>
  )
}

/** Comments on the story as a whole, on blocks that are not shown, and those that are resolved. */
export function RestOfComments({
  commenting: { story, threads, canComment, isOn },
  isShown,
}: {
  readonly commenting: StoryCommenting
  readonly isShown: (block: number) => boolean
}) {
  const open = threads.filter(
    ({ block, resolved }) => resolved === undefined && (block === undefined || !isShown(block)),
  )
  const resolved = threads.filter((thread) => thread.resolved !== undefined)
  const offers = canComment && isOn
  if (open.length + resolved.length === 0 && !offers) return null
  return (
    <section className={css.rest} aria-labelledby="story-comments">
      <h3 className={css.restTitle} id="story-comments">
        Comments
      </h3>
      {open.map((thread) => (
        <CommentThread key={thread.id} story={story} thread={thread} isApart />
      ))}
      {offers && <CommentForm story={story} label="Comment on the story" about={undefined} />}
      {resolved.length > 0 && (
        <details className={css.resolved}>
          <summary>{resolved.length} resolved</summary>
          {resolved.map((thread) => (
            <CommentThread key={thread.id} story={story} thread={thread} isApart />
          ))}
        </details>
      )}
    </section>
  )
}
