import { Preference } from './preference.ts'

export const THEMES = ['system', 'light', 'dark'] as const

/** Light, dark, or the system's setting. */
export const theme = new Preference('theme', THEMES, 'system')

/** `data-theme` on the root always names the theme shown; tokens.css defines its effect. */
if (typeof document !== 'undefined') {
  const darkSystem = matchMedia('(prefers-color-scheme: dark)')
  const show = (): void => {
    const chosen = theme.get()
    document.documentElement.dataset['theme'] = chosen === 'system' ? (darkSystem.matches ? 'dark' : 'light') : chosen
  }
  show()
  theme.subscribe(show)
  darkSystem.addEventListener('change', show)
}
