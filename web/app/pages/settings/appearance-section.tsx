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
      <Part title="Theme" about="Kept in this browser.">
        <Choice
          label="Theme"
          value={chosen}
          onChange={setTheme}
          options={THEMES.map((value) => ({
            value,
            label: { system: 'As the system', light: 'Light', dark: 'Dark' }[value],
          }))}
        />
      </Part>
      <Part title="Rows" about="How much room a line of a list takes.">
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
            ? 'Your system asks for less motion, so nothing moves.'
            : 'Changes take a tenth of a second. Where your system asks for less motion, nothing moves.'}
        </p>
      </Part>
    </>
  )
}
