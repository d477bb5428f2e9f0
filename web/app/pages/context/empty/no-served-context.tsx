import { Link } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { Page } from '../../../frame/page.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { ProgressBar } from '../../../kit/progress-bar.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { FaultLines } from '../in-use/fault-lines.tsx'
import { OriginDeeds } from '../in-use/origin-deeds.tsx'
import { placeWords } from '../in-use/place-words.ts'
import { useInUse } from '../in-use/use-in-use.ts'
import { useIsAdmin } from '../in-use/use-is-admin.ts'
import styles from './no-context.module.css'

const HEARS_SOON_MS = 2_000

/** A team project without a context: an explanation, its progress, and an admin's next step. */
export const NoServedContext = () => {
  const { data, origin, error, refetch, isPulling, pull } = useInUse()
  const isAdmin = useIsAdmin()
  const isHere = origin?.in_use !== undefined
  // Another replica may have pulled the context before this one received it.
  useAnswer('context_files', {}, { enabled: isHere, every: HEARS_SOON_MS })
  return (
    <Page title="Context">
      <div className={styles.empty}>
        <p className={styles.what}>
          The analyst of a team answers from a context project: a folder in a git repository with a ken.yaml, rules,
          documents and the tables that <code>ken sync</code> compiled. Its contents appear here, and every push to its
          branch updates them.
        </p>
        {error && <FaultNote fault={error} again={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton rows={2} label="Loading the context" />}
        {data !== undefined && origin === undefined && <NotNamed isAdmin={isAdmin} />}
        {origin !== undefined && (
          <div role="status" className={styles.state}>
            {isPulling || isHere ? (
              <ProgressBar label={`Pulling ${placeWords(origin)}`} />
            ) : (
              <>
                <p>Can’t use {placeWords(origin)} yet:</p>
                <FaultLines faults={origin.looked?.faults ?? []} />
              </>
            )}
          </div>
        )}
        {origin !== undefined && isAdmin && <OriginDeeds isPulling={isPulling} pull={pull} />}
      </div>
    </Page>
  )
}

const NotNamed = ({ isAdmin }: { isAdmin: boolean }) => {
  const project = useProject()
  if (!isAdmin) return <p>No context yet. A project admin connects a repository in Settings, under Projects.</p>
  return (
    <p className={styles.way}>
      <span>No context yet.</span>
      <Link to="/$project/settings/$section" params={{ project, section: 'projects' }} className={styles.next}>
        Connect a repository
      </Link>
    </p>
  )
}
