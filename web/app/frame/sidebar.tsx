import { Link } from '@tanstack/react-router'
import { useProject } from '../api/queries.ts'
import { isTeam } from '../api/server.ts'
import { Count } from '../kit/count.tsx'
import { Icon } from '../kit/icon.tsx'
import { Keys } from '../kit/keys.tsx'
import { PAGES, SETTINGS, type PageOfFrame } from './pages.ts'
import { ProjectSwitcher } from './project-switcher.tsx'
import { useCounts, type PageCount } from './use-counts.ts'
import styles from './sidebar.module.css'

/** The pages of the project. With less room only their icons are shown. */
export const Sidebar = () => {
  const counts = useCounts()
  return (
    <div className={styles.sidebar}>
      <ProjectSwitcher />
      <nav aria-label="Pages" className={styles.pages}>
        <ul>
          {PAGES.map((page) => (
            <li key={page.name}>
              <PageLink page={page} count={counts[page.name]} />
            </li>
          ))}
        </ul>
        <ul className={styles.end}>
          {isTeam() && (
            <li>
              <a href="/account" className={styles.link} title="Account">
                <Icon name="user" />
                <span className={styles.name}>Account</span>
              </a>
            </li>
          )}
          <li>
            <PageLink page={SETTINGS} />
          </li>
        </ul>
      </nav>
    </div>
  )
}

const PageLink = ({ page, count }: { page: Omit<PageOfFrame, 'needs'>; count?: PageCount | undefined }) => (
  <Link
    to={page.to}
    params={{ project: useProject() }}
    activeOptions={{ exact: page.to === '/$project', includeSearch: false }}
    className={styles.link}
    title={page.name}
  >
    <Icon name={page.icon} />
    <span className={styles.name}>{page.name}</span>
    <span className={styles.keys} aria-hidden="true">
      <Keys of={page.keys} />
    </span>
    {count !== undefined && count.value > 0 && (
      <span className={styles.count}>
        {count.tone === 'bad' && <span aria-hidden="true">✗ </span>}
        <Count {...count} />
      </span>
    )}
  </Link>
)
