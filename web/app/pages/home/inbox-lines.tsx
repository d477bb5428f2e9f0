import { useAnswer } from '../../api/queries.ts'
import { IconButton } from '../../kit/button.tsx'
import { Tooltip } from '../../kit/tooltip.tsx'
import { HomeRow } from './home-row.tsx'
import { HomeSection } from './home-section.tsx'
import { KIND_WORDS } from './inbox/draft-words.ts'
import { useSettle } from './inbox/use-settle.ts'

const MOST = 5

/** Drafts pending review, with their immediate actions. */
export const InboxLines = ({ proposals, conflicts }: { proposals: number; conflicts: number }) => {
  const answer = useAnswer('inbox_list', {})
  const { apply, dismiss } = useSettle()
  const drafts = answer.data?.drafts ?? []
  const more = [conflicts, proposals].filter((count) => count > 0).length
  return (
    <HomeSection
      title="Inbox"
      count={drafts.length + proposals + conflicts}
      all={{ to: 'inbox', label: 'All of the inbox' }}
      state={answer}
      calm="Nothing to review."
    >
      {drafts.length + more > 0 && (
        <ul>
          {conflicts > 0 && (
            <HomeRow
              to={`inbox?${new URLSearchParams({ kind: 'conflict' })}`}
              title={conflicts === 1 ? '1 conflict' : `${conflicts} conflicts`}
              more="choose one text, or merge both"
            />
          )}
          {proposals > 0 && (
            <HomeRow
              to={`inbox?${new URLSearchParams({ kind: 'proposal' })}`}
              title={
                proposals === 1 ? '1 agent proposal pending review' : `${proposals} agent proposals pending review`
              }
              more="accept or supersede them"
            />
          )}
          {drafts.slice(0, MOST - more).map((draft) => (
            <HomeRow
              key={draft.id}
              to={`inbox?${new URLSearchParams({ draft: draft.id })}`}
              mark={KIND_WORDS[draft.kind]}
              title={draft.title}
              more={draft.why}
              end={
                <>
                  <Tooltip text="Apply">
                    <IconButton
                      icon="check"
                      size="small"
                      label={`Apply: ${draft.title}`}
                      onClick={() => apply(draft)}
                    />
                  </Tooltip>
                  <Tooltip text="Dismiss">
                    <IconButton
                      icon="close"
                      size="small"
                      label={`Dismiss: ${draft.title}`}
                      onClick={() => dismiss(draft)}
                    />
                  </Tooltip>
                </>
              }
            />
          ))}
        </ul>
      )}
    </HomeSection>
  )
}
