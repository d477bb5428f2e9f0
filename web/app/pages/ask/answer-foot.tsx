import { useAnswer } from '../../api/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Tooltip } from '../../kit/tooltip.tsx'
import type { AnswerView } from './answer-view.ts'
import type { Ask } from './ask-function.ts'
import type { HeardMessage } from './chat-log.ts'
import { plainAnswer } from './cited-text.ts'
import { questionImages, questionText } from './question-text.ts'
import { SaveStory } from './save-story.tsx'
import { Thumbs } from './thumbs.tsx'
import { useBranch } from './use-branch.ts'
import css from './answer-foot.module.css'

interface Props {
  readonly chat: string
  readonly message: HeardMessage
  readonly view: AnswerView
  readonly question: HeardMessage | undefined
  readonly isLast: boolean
  readonly isBusy: boolean
  readonly isOwn: boolean
  readonly ask: Ask
}

/** Actions on an answer: follow up, rate it, keep it, retry it, branch from it. */
export const AnswerFoot = ({ chat, message, view, question, isLast, isBusy, isOwn, ask }: Props) => (
  <footer className={css.foot}>
    {isLast && isOwn && view.followUps.length > 0 && (
      <div className={css.next} role="group" aria-label="Ask next">
        {view.followUps.map((words) => (
          <Button key={words} size="small" look="quiet" icon="arrow-right" onClick={() => ask(words)}>
            {words}
          </Button>
        ))}
      </div>
    )}
    <div className={css.tools}>
      {isOwn && <Thumbs chat={chat} message={message.id} />}
      {isOwn && (view.text !== '' || view.charts.length > 0) && (
        <SaveStory message={message.id} stories={view.stories} />
      )}
      <CopyButton alone text={() => plainAnswer(view.text)} label="Copy the answer" />
      <BranchButton chat={chat} message={message.id} />
      {isOwn && question !== undefined && !isBusy && <RetryMenu question={question} ask={ask} />}
    </div>
  </footer>
)

/** Starts a new chat with everything up to this answer. */
const BranchButton = ({ chat, message }: { chat: string; message: string }) => {
  const { isBusy, go } = useBranch(chat)
  return (
    <Tooltip text="Continue from here in a new chat">
      <IconButton
        icon="branch"
        size="small"
        label="Branch from this answer"
        busy={isBusy}
        onClick={() => go(message)}
      />
    </Tooltip>
  )
}

// The menu is for reading, not for searching.
const MOST = 12

/** Asks the question again, with the same model or another; everything after the question is removed. */
const RetryMenu = ({ question, ask }: { question: HeardMessage; ask: Ask }) => {
  const { data } = useAnswer('answerers', {})
  const again = (model?: string) =>
    ask(questionText(question), {
      instead: question.id,
      images: questionImages(question),
      ...(model !== undefined && { model }),
    })
  const others = (data?.answerers ?? []).filter(({ problem }) => problem === undefined).slice(0, MOST)
  return (
    <Menu
      align="end"
      trigger={<IconButton icon="refresh" size="small" label="Retry" title="Retry, optionally with another model" />}
      entries={[
        { label: 'Ask again', icon: 'refresh', onSelect: () => again() },
        ...(others.length === 0 ? [] : (['line'] as const)),
        ...others.map(({ name }) => ({ label: `With ${name}`, onSelect: () => again(name) })),
      ]}
    />
  )
}
