import { useRouter } from '@tanstack/react-router'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Page } from '../../frame/page.tsx'
import { DocumentView } from './document-view.tsx'
import { MemoryTabs } from './memory-tabs.tsx'
import { documentRoute } from './routes.ts'
import styles from './memory-page.module.css'

/** A session, note or document as a full page. */
export const DocumentPage = () => {
  const { id, project } = documentRoute.useParams()
  const { line, find = '' } = documentRoute.useSearch()
  const router = useRouter()
  useKeys([
    {
      keys: 'escape',
      does: 'Back to the results',
      group: 'Memory',
      run: () =>
        router.history.canGoBack()
          ? router.history.back()
          : void router.navigate({ to: '/$project/memory', params: { project } }),
    },
  ])
  return (
    <Page title="Memory" layout="fill" views={<MemoryTabs />}>
      <div className={styles.page}>
        <DocumentView key={id} id={id} line={line} find={find} isWhole />
      </div>
    </Page>
  )
}
