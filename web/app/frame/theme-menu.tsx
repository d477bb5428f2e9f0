import { IconButton } from '../kit/button.tsx'
import type { IconName } from '../kit/icon.tsx'
import { Menu } from '../kit/menu.tsx'
import { usePreference } from './preferences/preference.ts'
import { theme, THEMES } from './preferences/theme.ts'

export const ThemeMenu = () => {
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
