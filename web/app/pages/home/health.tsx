import { useState } from 'react'
import { useAnswer } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { Button } from '../../kit/button.tsx'
import { HomeRow } from './home-row.tsx'
import { HomeSection } from './home-section.tsx'
import { MendDialog } from './mend-dialog.tsx'
import styles from './health.module.css'

const MOST = 5

/** Findings of doctor in the record, with a repair action. */
export const Health = () => {
  const answer = useAnswer('doctor', {})
  const [isMending, setMending] = useState(false)
  const flaws = answer.data?.flaws ?? []
  const decisions = answer.data?.decisions ?? 0
  return (
    <>
      <HomeSection
        title="Record health"
        count={flaws.length}
        state={answer}
        calm={`${decisions === 1 ? '1 decision' : `${decisions} decisions`} verified. No problems found.`}
      >
        {flaws.length > 0 && (
          <>
            <ul>
              {flaws.slice(0, MOST).map(({ path, message }, at) => (
                <HomeRow key={`${path} ${at}`} to={undefined} mark="✗" title={message} more={path} />
              ))}
            </ul>
            <div className={styles.way}>
              {isOffered('repair') && (
                <Button icon="check" onClick={() => setMending(true)}>
                  Preview repairs
                </Button>
              )}
              {flaws.length > MOST && <span className={styles.rest}>and {flaws.length - MOST} more</span>}
            </div>
          </>
        )}
      </HomeSection>
      <MendDialog open={isMending} onClose={() => setMending(false)} hasEdits={flaws.some(isEdit)} />
    </>
  )
}

const isEdit = ({ kind }: { kind: string }): boolean => kind === 'edited' || kind === 'unknown'
