import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAct } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { CommentForm } from './comment-form.tsx'
import css from './comments.module.css'

export type Thread = Calls['story_comments']['output']['threads'][number]
type Comment = Thread['comments'][number]

interface CommentThreadProps {
  /** Slug or id of the story. */
  readonly story: string
  readonly thread: Thread
  /** Names what it is about, where it is not shown beside it. */
  readonly isApart?: boolean
}

/** A comment and its answers, as plain text. */
export function CommentThread({ story, thread, isApart = false }: CommentThreadProps) {
  const [isReplying, setReplying] = useState(false)
  const resolve = useAct('story_comment_resolve')
  const { on, block, resolved, comments } = thread
  const about = on ?? 'the story'
  return (
    <section className={css.thread} aria-label={`Comments on ${about}`}>
      {isApart && on !== undefined && (
        <p className={css.about}>{block === undefined ? `On a block that is gone: ${on}` : `On ${on}`}</p>
      )}
      <ul className={css.entries}>
        {comments.map((comment) => (
          <Entry key={comment.id} story={story} comment={comment} />
        ))}
      </ul>
      {resolved !== undefined && (
        <p className={css.note}>
          Resolved by {resolved.by} <TimeAgo at={resolved.at} />
        </p>
      )}
      {resolve.error !== null && <FaultNote fault={resolve.error} />}
      {isReplying ? (
        <CommentForm
          story={story}
          label={`Reply to ${comments[0]!.by}`}
          about={{ answers: comments[0]!.id }}
          onDone={() => setReplying(false)}
        />
      ) : (
        isOffered('story_comment') && (
          <div className={css.buttons}>
            {resolved === undefined && (
              <Button size="small" look="quiet" onClick={() => setReplying(true)}>
                Reply
              </Button>
            )}
            <Button
              size="small"
              look="quiet"
              icon={resolved === undefined ? 'check' : 'undo'}
              busy={resolve.isPending}
              onClick={() => resolve.mutate({ slug: story, comment: comments[0]!.id, reopen: resolved !== undefined })}
            >
              {resolved === undefined ? 'Resolve' : 'Reopen'}
            </Button>
          </div>
        )
      )}
    </section>
  )
}

function Entry({ story, comment: { id, by, agent, at, text, removable } }: { story: string; comment: Comment }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useAct('story_comment_remove')
  return (
    <li>
      <div className={css.who}>
        <strong>{by}</strong>
        {agent && <span className={css.note}>through an agent</span>}
        <TimeAgo className={css.note} at={at} />
        {removable && !isAsking && (
          <IconButton
            className={css.remove}
            size="small"
            icon="trash"
            label={`Remove the comment of ${by}`}
            onClick={() => setAsking(true)}
          />
        )}
      </div>
      <p className={css.text}>{text}</p>
      {isAsking && (
        <div className={css.buttons} role="group" aria-label="Remove this comment for good?">
          <Button
            size="small"
            look="bad"
            busy={remove.isPending}
            onClick={() => remove.mutate({ slug: story, comment: id })}
          >
            Remove for good
          </Button>
          <Button size="small" onClick={() => setAsking(false)}>
            Keep
          </Button>
        </div>
      )}
      {remove.error !== null && <FaultNote fault={remove.error} />}
    </li>
  )
}
