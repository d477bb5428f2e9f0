import { useState } from 'react'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { Part } from './part.tsx'
import { browserWords, ShutOut, type LetInBrowser } from './shut-out.tsx'
import styles from './settings.module.css'

/** Every signed-in browser, with a sign-out action. */
export const LetInBrowsers = () => {
  const { data, error, refetch } = useAnswer('browsers_list', {})
  const [meant, setMeant] = useState<LetInBrowser | 'others'>()
  const browsers = data?.browsers ?? []
  return (
    <Part
      title="Browsers"
      about="A browser signs in with a one-time link from `ken app`. It stays signed in, also over a restart of the app, until it was not used for 30 days."
    >
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {!error && data === undefined && <Skeleton rows={2} />}
      {browsers.length > 0 && (
        <ul className={styles.rows}>
          {browsers.map((one) => (
            <li key={one.id}>
              <BrowserLine browser={one} onEnd={() => setMeant(one)} />
            </li>
          ))}
        </ul>
      )}
      {browsers.some((one) => !one.is_this) && (
        <div className={styles.line}>
          <Button onClick={() => setMeant('others')}>Sign out all other browsers</Button>
        </div>
      )}
      {meant && <ShutOut meant={meant} onClose={() => setMeant(undefined)} />}
    </Part>
  )
}

const BrowserLine = ({ browser, onEnd }: { browser: LetInBrowser; onEnd: () => void }) => (
  <div className={styles.line}>
    <span className={styles.name}>{browserWords(browser)}</span>
    <span className={styles.grow}>
      <span className={styles.soft}>
        {browser.is_this && 'this one · '}signed in <TimeAgo at={browser.entered_at} />
        {!browser.is_this && (
          <>
            {' · '}used <TimeAgo at={browser.used_at} />
          </>
        )}
      </span>
    </span>
    <span className={styles.end}>
      <Button size="small" aria-label={`Sign out ${browserWords(browser)}`} onClick={onEnd}>
        {' '}
        Sign out{' '}
      </Button>
    </span>
  </div>
)
