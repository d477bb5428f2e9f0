import { Link } from '@tanstack/react-router'
import { useProject } from '../api/queries.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon, type IconName } from '../kit/icon.tsx'
import { Keys } from '../kit/keys.tsx'
import { Menu } from '../kit/menu.tsx'
import { Tooltip } from '../kit/tooltip.tsx'
import type { InspectorState } from './inspector/use-inspector.ts'
import { NoticeButton } from './notices/notice-button.tsx'
import { SETTINGS } from './pages.ts'
import { openPalette } from './palette/palette-state.ts'
import { usePreference } from './preferences/preference.ts'
import { theme, THEMES } from './preferences/theme.ts'
import styles from './top-bar.module.css'

export const TopBar = ({ inspector }: { inspector: InspectorState }) => (
  <header className={styles.bar}>
    <button type="button" className={styles.search} onClick={() => openPalette()} aria-keyshortcuts="Control+K Meta+K">
      <Icon name="search" />
      <span className={styles.words}>Search or ask…</span>
      <span aria-hidden="true" className={styles.keys}>
        <Keys of="mod+k" />
      </span>
    </button>
    <div className={styles.buttons}>
      {inspector.hasParts && (
        <Tooltip text="Inspector" keys="]">
          <IconButton icon="panel-right" label="Inspector" aria-pressed={inspector.isOpen} onClick={inspector.toggle} />
        </Tooltip>
      )}
      <NoticeButton />
      <ThemeMenu />
      <Tooltip text={SETTINGS.name} keys={SETTINGS.keys}>
        <Link
          to={SETTINGS.to}
          params={{ project: useProject() }}
          className={styles.settings}
          aria-label={SETTINGS.name}
        >
          <Icon name={SETTINGS.icon} />
        </Link>
      </Tooltip>
    </div>
  </header>
)

const ThemeMenu = () => {
  const [chosen, choose] = usePreference(theme)
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={ICONS[chosen]} label={`Theme: ${NAMES[chosen]}`} title="Theme" />}
      entries={[
        {
          choose: 'Theme',
          value: chosen,
          options: THEMES.map((value) => ({ value, label: NAMES[value] })),
          onChoose: (value) => choose(value as typeof chosen),
        },
      ]}
    />
  )
}

type Theme = (typeof THEMES)[number]

const NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }
const ICONS: Readonly<Record<Theme, IconName>> = { system: 'monitor', light: 'sun', dark: 'moon' }
