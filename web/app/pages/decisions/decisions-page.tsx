import { Outlet, useMatch } from '@tanstack/react-router'
import { useAnswer } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { NoProject } from '../../frame/no-project.tsx'
import { Page } from '../../frame/page.tsx'
import { AsOfBanner } from './as-of-banner.tsx'
import { AsOfRuler } from './as-of-ruler.tsx'
import { CheckField } from './check-field.tsx'
import { ProposeButton } from './propose-button.tsx'
import { decisionsRoute } from './routes.ts'
import { ViewSwitch } from './view-switch.tsx'
import styles from './decisions-page.module.css'

/** Everything about decisions: search and as-of date at the top, the view of the URL below. */
export const DecisionsPage = () => {
  const search = decisionsRoute.useSearch()
  const overview = useAnswer('overview', {})
  // Proposing and editing always apply to the present.
  const isNew = useMatch({ from: '/$project/decisions/new', shouldThrow: false }) !== undefined
  const isEdit = useMatch({ from: '/$project/decisions/$id/edit', shouldThrow: false }) !== undefined
  if (overview.data !== undefined && overview.data.record === undefined && !isTeam())
    return (
      <Page title="Decisions">
        <NoProject things="Decisions" />
      </Page>
    )
  return (
    <Page
      title="Decisions"
      layout="fill"
      views={<ViewSwitch search={search} />}
      field={<CheckField search={search} />}
      actions={<ProposeButton search={search} />}
    >
      <div className={styles.page}>
        {!isNew && !isEdit && (
          <div className={styles.when}>
            <AsOfRuler asOf={search.asOf} />
          </div>
        )}
        {search.asOf !== undefined && <AsOfBanner asOf={search.asOf} />}
        <div className={styles.body}>
          <Outlet />
        </div>
      </div>
    </Page>
  )
}
