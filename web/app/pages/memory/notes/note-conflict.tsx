import { unifiedDiff } from '../../../../../src/kernel/domain/text/unified-diff.ts'
import { Button } from '../../../kit/button.tsx'
import styles from './notes.module.css'

interface Props {
  readonly mine: string
  readonly theirs: string
  /** Continues with a text based on the current file. */
  readonly onTake: (text: string) => void
  readonly onGiveUp: () => void
}

/** Shown after a concurrent change: neither text is lost before the person chooses. */
export const NoteConflict = ({ mine, theirs, onTake, onGiveUp }: Props) => (
  <div className={styles.conflict} role="alert">
    <p>The file changed while you edited. Nothing was overwritten. Your text differs as follows:</p>
    <pre className={styles.theirs} tabIndex={0}>
      {unifiedDiff(theirs, mine, { before: 'the file', after: 'yours' })}
    </pre>
    <div className={styles.ways}>
      <Button onClick={() => onTake(`${theirs.trimEnd()}\n\n${mine}`)}>Append mine</Button>
      <Button onClick={() => onTake(mine)}>Keep mine</Button>
      <Button look="quiet" onClick={onGiveUp}>
        Discard mine
      </Button>
    </div>
  </div>
)
