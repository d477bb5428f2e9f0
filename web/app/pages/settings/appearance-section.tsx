import { DENSITIES, density } from '../../frame/preferences/density.ts'
import { usePreference } from '../../frame/preferences/preference.ts'
import { THEMES, theme } from '../../frame/preferences/theme.ts'
import { useMedia } from '../../frame/use-media.ts'
import { Choice } from './choice.tsx'
import { Part } from './part.tsx'

/** Appearance of the app in this browser. */
export const AppearanceSection = () => {
  const [chosen, setTheme] = usePreference(theme)
  const [rows, setRows] = usePreference(density)
  const isReduced = useMedia('(prefers-reduced-motion: reduce)')
  return (
    <>
      <Part title="Theme" about="Stored in this browser.">
        <Choice
          label="Theme"
          value={chosen}
          onChange={setTheme}
          options={THEMES.map((value) => ({
            value,
            label: { system: 'System', light: 'Light', dark: 'Dark' }[value],
          }))}
        />
      </Part>
      <Part title="Rows" about="Density of lists.">
        <Choice
          label="Rows"
          value={rows}
          onChange={setRows}
          options={DENSITIES.map((value) => ({
            value,
            label: { comfortable: 'Comfortable', compact: 'Compact' }[value],
          }))}
        />
      </Part>
      <Part title="Motion">
        <p>
          {isReduced
            ? 'Your system requests reduced motion, so animations are off.'
            : 'Animations take 0.1 s. They are off if your system requests reduced motion.'}
        </p>
      </Part>
    </>
  )
}
