import { Button, IconButton } from '../../../kit/button.tsx'
import styles from './review-bar.module.css'

interface Props {
  readonly count: number
  readonly isBusy: boolean
  /** Undefined if the selection has entries that cannot be dismissed at once. */
  readonly onDismiss: (() => void) | undefined
  readonly onAccept: (() => void) | undefined
  readonly onClear: () => void
}

/** Actions on all selected entries. */
export const ReviewBar = ({ count, isBusy, onAccept, onDismiss, onClear }: Props) => (
  <div className={styles.bar}>
    <span className={styles.words} role="status">
      {count} selected
    </span>
    {onAccept && (
      <Button size="small" look="primary" icon="check" busy={isBusy} onClick={onAccept}>
        Accept all
      </Button>
    )}
    {onDismiss && (
      <Button size="small" icon="close" busy={isBusy} onClick={onDismiss}>
        Dismiss all
      </Button>
    )}
    {!onAccept && !onDismiss && <span className={styles.words}>Open these one by one.</span>}
    <IconButton icon="close" label="Select none" size="small" onClick={onClear} />
  </div>
)
