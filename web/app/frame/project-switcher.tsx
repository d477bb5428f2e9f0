import { useNavigate } from '@tanstack/react-router'
import { HERE } from '../api/place.ts'
import { useAnswer, useProject } from '../api/queries.ts'
import { Icon } from '../kit/icon.tsx'
import { Menu } from '../kit/menu.tsx'
import styles from './project-switcher.module.css'

/** The current project, and the other projects known to this machine. */
export const ProjectSwitcher = () => {
  const { name, options, chosen } = useProjects()
  const navigate = useNavigate()
  return (
    <Menu
      trigger={
        <button type="button" className={styles.switcher}>
          <KenMark />
          <span className={styles.names}>
            <span className={styles.ken}>Ken</span>
            <span className={styles.project}>{name}</span>
          </span>
          <Icon name="chevrons-up-down" size={14} />
          <span className="visually-hidden">, switch project</span>
        </button>
      }
      entries={[
        {
          choose: 'Projects',
          value: chosen,
          options,
          onChoose: (project) => void navigate({ to: '/$project', params: { project } }),
        },
      ]}
    />
  )
}

/** Projects of this machine; the one that Ken was started in is `here`, whether it is registered or not. */
export function useProjects() {
  const project = useProject()
  const { data } = useAnswer('list_projects', {}, { keep: true })
  const all = data?.projects ?? []
  const options = all
    .filter(({ present }) => present)
    .map(({ id, name, current }) => ({ value: current ? HERE : id, label: name, ...(current && { aside: 'here' }) }))
  if (!options.some(({ value }) => value === HERE))
    options.unshift({ value: HERE, label: 'This folder', aside: 'here' })
  const mine = all.find((one) => one.id === project || (project === HERE && one.current))
  const chosen = mine?.current ? HERE : project
  return { options, chosen, name: mine?.name ?? (project === HERE ? 'This folder' : project) }
}

/** A mark of three lines that meet: record, memory and context. */
const KenMark = () => (
  <svg className={styles.mark} viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
    <path d="M4 2.5v11M4 8.2 11.5 2.5M6.2 6.6l5.8 6.9" />
  </svg>
)
