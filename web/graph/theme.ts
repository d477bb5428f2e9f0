import { button } from './elements.ts'

export type Theme = 'system' | 'light' | 'dark'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const FACES: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' }

export interface ThemeSwitch {
  readonly element: HTMLElement
  set(theme: Theme): void
}

/** Light, dark, or the system's setting. `data-theme` on the root is always the theme shown. */
export function createThemeSwitch(
  root: HTMLElement,
  signal: AbortSignal,
  changed: (theme: Theme) => void,
): ThemeSwitch {
  const darkSystem = matchMedia('(prefers-color-scheme: dark)')
  let theme: Theme = 'system'
  const element = button({ class: 'theme' }, '', () => set(NEXT[theme]))

  function show(): void {
    root.dataset['theme'] = theme === 'system' ? (darkSystem.matches ? 'dark' : 'light') : theme
    element.textContent = FACES[theme]
    const name = theme === 'system' ? 'as the system' : theme
    element.setAttribute('aria-label', `Theme: ${name}`)
    element.title = `Theme: ${name}. Click for ${NEXT[theme] === 'system' ? 'the system’s' : NEXT[theme]}.`
  }

  function set(next: Theme): void {
    theme = next
    show()
    changed(theme)
  }

  darkSystem.addEventListener(
    'change',
    () => {
      show()
      changed(theme)
    },
    { signal },
  )
  show()
  return { element, set }
}
