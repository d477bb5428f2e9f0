import { Preference } from './preference.ts'

export const DENSITIES = ['comfortable', 'compact'] as const

/** How high rows are. */
export const density = new Preference('density', DENSITIES, 'comfortable')

/** tokens.css has what it means. */
const show = (): void => {
  document.documentElement.dataset['density'] = density.get()
}

if (typeof document !== 'undefined') {
  show()
  density.subscribe(show)
}
