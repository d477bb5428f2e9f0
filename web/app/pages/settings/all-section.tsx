import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { FindField } from '../../kit/find-field.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Part } from './part.tsx'
import { sectionRoute } from './routes.ts'
import { SettingControl } from './setting-control.tsx'
import { groupedSettings } from './setting-text.ts'
import { useSettings } from './use-setting.ts'
import styles from './settings.module.css'

/** Every setting, with its effect, who set it and its default. */
export const AllSection = () => {
  const project = useProject()
  const navigate = useNavigate()
  const { q = '' } = sectionRoute.useSearch()
  const { settings, unknown, error, refetch, change } = useSettings()
  const words = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', does: 'Search settings', group: 'Settings', run: () => words.current?.focus() }])
  const groups = groupedSettings(settings ?? [], q)
  return (
    <>
      <div className={styles.part}>
        <p className={styles.about}>
          Your own settings, stored in <code>config.yml</code> in the Ken home. Environment variables override them; a
          repository never does.
        </p>
        <FindField
          ref={words}
          label="Search settings"
          value={q}
          onChange={(typed) =>
            void navigate({
              to: '/$project/settings/$section',
              params: { project, section: 'all' },
              search: typed === '' ? {} : { q: typed },
              replace: true,
            })
          }
        />
        {unknown.map((line) => (
          <p key={line} className={styles.warn}>
            {line}
          </p>
        ))}
      </div>
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {!error && settings === undefined && <Skeleton rows={8} />}
      {settings !== undefined && groups.length === 0 && <p className={styles.soft}>No settings match.</p>}
      {groups.map(([name, all]) => (
        <Part key={name} title={name}>
          <ul className={styles.rows}>
            {all.map((one) => (
              <li key={one.name}>
                <SettingControl setting={one} change={change} />
              </li>
            ))}
          </ul>
        </Part>
      ))}
    </>
  )
}
