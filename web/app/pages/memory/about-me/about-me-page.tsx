import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Page } from '../../../frame/page.tsx'
import { EmptyState } from '../../../kit/empty-state.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { Switch } from '../../../kit/switch.tsx'
import { MemoryTabs } from '../memory-tabs.tsx'
import { aboutMeRoute } from '../routes.ts'
import { AddMemory } from './add-memory.tsx'
import { DraftedMemories } from './drafted-memories.tsx'
import { LearnPanel } from './learn-panel.tsx'
import { MemoryItem, type Memory } from './memory-item.tsx'
import { RecentChanges } from './recent-changes.tsx'
import styles from './about-me.module.css'

/** Memories about the user: preferences and facts, each with the words from which it was learned. */
export const AboutMePage = () => {
  usePageTitle('About me')
  const project = useProject()
  const navigate = useNavigate()
  const { all = false } = aboutMeRoute.useSearch()
  const { data, error, isPending, refetch } = useAnswer('memories_list', { all }, { keep: true })
  const showAll = (on: boolean): void =>
    void navigate({ to: '/$project/memory/about-me', params: { project }, search: on ? { all: true } : {} })
  return (
    <Page title="Memory" views={<MemoryTabs />}>
      <div className={styles.body}>
        <AddMemory />
        <div className={styles.aside}>
          <Switch label="Show outdated" on={all} onChange={showAll} />
          {isOffered('memories_learn') && <LearnPanel learns={data?.learns ?? true} />}
        </div>
        {data?.uses === false && <p className={styles.off}>Not used in answers: memory.use is off.</p>}
        <DraftedMemories />
        {isPending ? (
          <Skeleton rows={6} />
        ) : data === undefined ? (
          <FaultNote fault={error} again={() => void refetch()} />
        ) : data.memories.length === 0 ? (
          <EmptyState
            title="Rules and facts about you appear here, with your own words beside them. Add the first one above."
            example={<p>Show amounts in euros.</p>}
            command='ken memories add "Show amounts in euros."'
          />
        ) : (
          <>
            <Group title="Rules" memories={data.memories.filter(({ category }) => category === 'global_rule')} />
            <Group
              title="Facts about me"
              memories={data.memories.filter(({ category }) => category !== 'global_rule')}
            />
          </>
        )}
        <RecentChanges />
      </div>
    </Page>
  )
}

const Group = ({ title, memories }: { title: string; memories: readonly Memory[] }) =>
  memories.length === 0 ? null : (
    <section className={styles.group}>
      <h2 className={styles.heading}>{title}</h2>
      <ul>
        {memories.map((memory) => (
          <MemoryItem key={memory.id} memory={memory} />
        ))}
      </ul>
    </section>
  )
