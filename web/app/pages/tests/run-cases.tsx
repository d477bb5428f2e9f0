import type { Calls } from '../../api/call.ts'
import { Tabs } from '../../kit/tabs.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import type { RunSearch } from './routes.ts'
import styles from './run-cases.module.css'

export type ShownRun = Calls['test_show']['output']
type CaseOfRun = ShownRun['cases'][number]

interface Props {
  readonly shown: ShownRun
  readonly search: RunSearch
  readonly look: (next: RunSearch, replace?: boolean) => void
}

/** The cases that did not pass, or all cases on request. */
export const RunCases = ({ shown, search, look }: Props) => {
  const failing = shown.cases.filter(({ verdict }) => verdict !== 'passed')
  const isAll = search.show === 'all' || failing.length === 0
  const items = isAll ? shown.cases : failing
  const { show: _show, ...rest } = search
  return (
    <div className={styles.cases}>
      <Tabs
        label="Which cases"
        value={isAll ? 'all' : 'failing'}
        onChange={(value) => look(value === 'all' ? { ...rest, show: 'all' } : rest, true)}
        tabs={[
          { value: 'failing', label: 'Did not pass', count: failing.length },
          { value: 'all', label: 'All', count: shown.cases.length },
        ]}
      >
        <VirtualList
          label="Cases"
          items={items}
          keyOf={keyOf}
          rowHeight={52}
          isMain
          open={search.case === undefined ? undefined : `${search.case}\n${search.model ?? '-'}`}
          onOpen={(one) => {
            const { try: _try, ...kept } = search
            look({ ...kept, case: one.case, ...(one.model === '-' ? {} : { model: one.model }) })
          }}
        >
          {(one) => <CaseRowText one={one} />}
        </VirtualList>
        {shown.more > 0 && <p className={styles.more}>{shown.more} more not shown.</p>}
      </Tabs>
    </div>
  )
}

const keyOf = (one: CaseOfRun): string => `${one.case}\n${one.model}`

const CaseRowText = ({ one }: { one: CaseOfRun }) => (
  <span className={styles.row}>
    <OutcomeMark outcome={one.verdict} short />
    <span className={styles.words}>
      <span className={styles.name}>{one.name}</span>
      <span className={styles.about}>
        {[one.kind, one.model === '-' ? '' : one.model, one.tries > 1 ? `${one.passes} of ${one.tries} tries` : '']
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  </span>
)
