import { Preference } from './preference.ts'

export const THEMES = ['system', 'light', 'dark'] as const

/** Light, dark, or as the system says. */
export const theme = new Preference('theme', THEMES, 'system')

/** tokens.css has what it means; without a choice the media query decides. */
const show = (): void => {
  const chosen = theme.get()
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}

if (typeof document !== 'undefined') {
  show()
  theme.subscribe(show)
}
