import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { LetInBrowsers } from './let-in-browsers.tsx'
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

/** Access to Ken's servers: the token for programs, and the signed-in browsers. */
export const TokensSection = () => (
  <>
    <ServerToken />
    <LetInBrowsers />
  </>
)

const ServerToken = () => {
  const { data, error } = useAnswer('token_show', {})
  const [isAsking, setAsking] = useState(false)
  return (
    <Part
      title="Program token"
      about="Programs on this machine use it to sign in to `ken serve --http`. It is stored in a file only you can read and never shown."
    >
      {error && <FaultNote fault={error} />}
      {!error && data === undefined && <Skeleton rows={2} />}
      {data && (
        <>
          <p className={styles.line}>
            <span className={styles.mono}>{data.path}</span>
            {data.made_at !== undefined && <CopyButton alone text={data.path} label="Copy the path" />}
            <span className={styles.soft}>
              {data.made_at === undefined ? (
                'not created yet'
              ) : (
                <>
                  created <TimeAgo at={data.made_at} />
                </>
              )}
            </span>
          </p>
          <div className={styles.line}>
            {data.made_at === undefined ? (
              <CreateToken />
            ) : (
              <Button icon="refresh" onClick={() => setAsking(true)}>
                Replace token
              </Button>
            )}
          </div>
        </>
      )}
      {isAsking && <RenewToken onClose={() => setAsking(false)} />}
    </Part>
  )
}

/** The first token: there is no old one to warn about. */
const CreateToken = () => {
  const project = useProject()
  const { isBusy, fault, run } = useMutation()
  return (
    <>
      <Button
        icon="key"
        busy={isBusy}
        onClick={() =>
          void run(() => call(project, 'token_renew', {})).then((isDone) => {
            if (isDone) showToast({ text: 'Token created.' })
          })
        }
      >
        Create token
      </Button>
      {fault && <FaultNote fault={fault} />}
    </>
  )
}

const RenewToken = ({ onClose }: { onClose: () => void }) => {
  const project = useProject()
  const { isBusy, fault, run } = useMutation()
  const renew = (): void =>
    void run(() => call(project, 'token_renew', {})).then((isDone) => {
      if (!isDone) return
      showToast({ text: 'Token replaced.' })
      onClose()
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Replace the token?"
      description="The old token stops working immediately, including on a running server. Programs need the new one."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="bad" busy={isBusy} onClick={renew}>
            Replace token
          </Button>
        </>
      }
    >
      {fault && <FaultNote fault={fault} />}
    </Dialog>
  )
}
