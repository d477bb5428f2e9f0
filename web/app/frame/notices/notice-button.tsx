import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { PlaceLink } from '../../kit/place-link.tsx'
import { popups } from '../../kit/popups.ts'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { useNotices } from './use-notices.ts'
import overlay from '../../kit/overlay.module.css'
import styles from './notices.module.css'

/** Failed refreshes, stale or failing sources and drift, on every page. Always shown, so that nothing moves. */
export const NoticeButton = () => {
  const [isOpen, setOpen] = useState(false)
  const { notices, isChecking, dismiss } = useNotices({ isOpen })
  const count = notices.length
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <span className={styles.whole}>
        <Popover.Trigger
          render={<IconButton icon="bell" label={count === 0 ? 'Notices' : `Notices: ${count}`} title="Notices" />}
        />
        {count > 0 && (
          <span className={styles.count} aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </span>
      <Popover.Portal container={popups}>
        <Popover.Positioner className={overlay.positioner} align="end" sideOffset={4} collisionPadding={8}>
          <Popover.Popup className={`${overlay.popup} ${styles.popup}`}>
            <header className={styles.head}>
              <Popover.Title className={styles.title}>Notices</Popover.Title>
              {count > 0 && (
                <Button size="small" look="quiet" onClick={() => dismiss(notices)}>
                  Dismiss all
                </Button>
              )}
            </header>
            {isChecking && (
              <p className={styles.none} role="status">
                Checking for drift…
              </p>
            )}
            {count === 0 && !isChecking && (
              <p className={styles.none}>Failed story refreshes, stale or failing sources and drift appear here.</p>
            )}
            <ul>
              {notices.map((notice) => (
                <li key={notice.id} className={styles.row}>
                  <div className={styles.words}>
                    <PlaceLink to={notice.to} onClick={() => setOpen(false)}>
                      {notice.what}
                    </PlaceLink>
                    <p className={styles.why}>
                      {notice.why}
                      {notice.at !== undefined && (
                        <>
                          {' · '}
                          <TimeAgo at={notice.at} />
                        </>
                      )}
                    </p>
                  </div>
                  <IconButton
                    icon="close"
                    size="small"
                    label={`Dismiss: ${notice.what}`}
                    onClick={() => dismiss([notice])}
                  />
                </li>
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
