import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { Count } from './count.tsx'
import styles from './tabs.module.css'

interface Props<V extends string> {
  /** Subject of the tabs, for screen readers. */
  readonly label: string
  readonly value: V
  readonly onChange: (value: V) => void
  readonly tabs: readonly { readonly value: V; readonly label: string; readonly count?: number }[]
  /** Content of the open tab. */
  readonly children: ReactNode
  /** Content at the other end of the row. */
  readonly aside?: ReactNode
}

export const Tabs = <V extends string>({ label, value, onChange, tabs, children, aside }: Props<V>) => (
  <Base.Root className={styles.tabs} value={value} onValueChange={(chosen) => onChange(chosen as V)}>
    <div className={styles.head}>
      <Base.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <Count value={tab.count} of="" />}
          </Base.Tab>
        ))}
      </Base.List>
      {aside}
    </div>
    <Base.Panel value={value} className={styles.panel}>
      {children}
    </Base.Panel>
  </Base.Root>
)
