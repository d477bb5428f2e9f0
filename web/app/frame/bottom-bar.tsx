import { Link, useMatchRoute, useNavigate } from '@tanstack/react-router'
import { useProject } from '../api/queries.ts'
import { Icon } from '../kit/icon.tsx'
import { Menu } from '../kit/menu.tsx'
import { PAGES, SETTINGS } from './pages.ts'
import { useProjects } from './project-switcher.tsx'
import styles from './bottom-bar.module.css'

/** Navigation on a narrow screen: four pages within reach of a thumb, the others behind one more button. */
export const BottomBar = () => {
  const project = useProject()
  const navigate = useNavigate()
  const { options, chosen } = useProjects()
  const matches = useMatchRoute()
  const isBehind = BEHIND.some(({ to }) => matches({ to, params: { project }, fuzzy: true }) !== false)
  return (
    <nav aria-label="Pages" className={styles.bar}>
      {PAGES.slice(0, WITHIN_REACH).map(({ name, to, icon }) => (
        <Link
          key={name}
          to={to}
          params={{ project }}
          activeOptions={{ exact: to === '/$project' }}
          className={styles.link}
        >
          <Icon name={icon} size={20} />
          {name}
        </Link>
      ))}
      <Menu
        align="end"
        side="top"
        trigger={
          <button type="button" className={styles.link} data-current={isBehind || undefined}>
            <Icon name="more" size={20} />
            More
          </button>
        }
        entries={[
          ...BEHIND.map(({ name, to, icon }) => ({
            label: name,
            icon,
            onSelect: () => void navigate({ to, params: { project } }),
          })),
          'line',
          {
            choose: 'Projects',
            value: chosen,
            options,
            onChoose: (value: string) => void navigate({ to: '/$project', params: { project: value } }),
          },
        ]}
      />
    </nav>
  )
}

const WITHIN_REACH = 4
const BEHIND = [...PAGES.slice(WITHIN_REACH), SETTINGS]
