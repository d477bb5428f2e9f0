import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import styles from './in-use.module.css'

/** For admins: pull now, and a link to the repository settings. */
export const OriginDeeds = ({ isPulling, pull }: { isPulling: boolean; pull: () => Promise<void> }) => {
  const project = useProject()
  const [fault, setFault] = useState<unknown>()
  return (
    <>
      <p className={styles.deeds}>
        <Button
          size="small"
          icon="refresh"
          busy={isPulling}
          onClick={() => {
            setFault(undefined)
            pull().catch(setFault)
          }}
        >
          Pull now
        </Button>
        <Link to="/$project/settings/$section" params={{ project, section: 'projects' }}>
          Change the repository
        </Link>
      </p>
      {fault !== undefined && <FaultNote fault={fault} />}
    </>
  )
}
