import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Keys } from './keys.tsx'
import { useStore } from './store.ts'
import { toasts, type Toast } from './toast-store.ts'
import styles from './toast.module.css'

/** Container of the toasts. Always mounted, because only then are new toasts read out. */
export const Toasts = () => {
  const all = useStore(toasts)
  const [isHeld, setHeld] = useState(false)
  const hold = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) }
  return (
    <section
      className={styles.toasts}
      aria-label="Notices"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      {...hold}
    >
      <div role="status" aria-relevant="additions" className={styles.all}>
        {all.map((toast, at) => (
          <One key={toast.id} toast={toast} isHeld={isHeld} isLast={at === all.length - 1} />
        ))}
      </div>
    </section>
  )
}

const One = ({ toast, isHeld, isLast }: { toast: Toast; isHeld: boolean; isLast: boolean }) => {
  useGoingAway(toast, isHeld)
  const { action } = toast
  return (
    <div className={classNames(styles.toast, styles[toast.tone])}>
      <span className={styles.text}>{toast.text}</span>
      {action && (
        <Button size="small" onClick={() => void toasts.act(toast)}>
          {action.label}
          {isLast && action.label === 'Undo' && <Keys of="u" />}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" size="small" onClick={() => toasts.remove(toast.id)} />
    </div>
  )
}

/** Removes a toast after ten seconds, not counting the time with pointer or focus on it. */
function useGoingAway({ id, tone }: Toast, isHeld: boolean): void {
  useEffect(() => {
    if (isHeld) return
    // Failures stay longer, for a reader who looked away.
    const timer = setTimeout(() => toasts.remove(id), tone === 'bad' ? 3 * STAYS_MS : STAYS_MS)
    return () => clearTimeout(timer)
  }, [id, tone, isHeld])
}

const STAYS_MS = 10_000
