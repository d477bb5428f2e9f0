import { isOffered } from '../../../api/server.ts'
import { Button } from '../../../kit/button.tsx'
import { Keys } from '../../../kit/keys.tsx'
import { PlaceLink } from '../../../kit/place-link.tsx'
import { testFile, type DraftLine, type ShownDraft } from './draft-words.ts'
import type { useSettle } from './use-settle.ts'
import styles from './draft-actions.module.css'

interface Props {
  readonly draft: DraftLine
  readonly shown: ShownDraft | undefined
  readonly settle: ReturnType<typeof useSettle>
  readonly onEdit: () => void
}

/** Actions and links of a draft. */
export const DraftActions = ({ draft, shown, settle, onEdit }: Props) => (
  <div className={styles.actions}>
    {draft.settled === undefined ? (
      <>
        {isOffered('inbox_apply') && (
          <Button
            // A test may turn out to be unfinished: until then no button is the main one, so that none takes its place.
            look={shown?.unfinished === true || (shown === undefined && draft.kind === 'test') ? 'plain' : 'primary'}
            icon="check"
            busy={settle.isBusy}
            onClick={() => settle.apply(draft)}
          >
            Apply <Keys of="a" />
          </Button>
        )}
        <Button look={shown?.unfinished === true ? 'primary' : 'plain'} icon="edit" onClick={onEdit}>
          Edit <Keys of="e" />
        </Button>
        <Button icon="close" busy={settle.isBusy} onClick={() => settle.dismiss(draft)}>
          Dismiss <Keys of="d" />
        </Button>
      </>
    ) : (
      <Button icon="undo" busy={settle.isBusy} onClick={() => settle.undo(draft)}>
        Undo <Keys of="u" />
      </Button>
    )}
    <span className={styles.ways}>
      {draft.chat !== undefined && <PlaceLink to={`ask/${encodeURIComponent(draft.chat)}`}>Open the chat</PlaceLink>}
      {draft.kind === 'test' && draft.settled === undefined && isOffered('test_record') && (
        <PlaceLink to={`tests?${new URLSearchParams({ feedback: draft.id })}`}>Name it and record it</PlaceLink>
      )}
      {draft.kind === 'test' && draft.settled?.how === 'applied' && (
        <PlaceLink to={`tests?${new URLSearchParams({ q: testFile(draft.settled.where) ?? draft.title })}`}>
          Run it in Tests
        </PlaceLink>
      )}
      {draft.kind === 'rule' && <PlaceLink to="context/rules">RULES.md</PlaceLink>}
      {draft.kind === 'memory' && <PlaceLink to="memory/about-me">About me</PlaceLink>}
    </span>
  </div>
)
