import { Preference } from './preference.ts'

export const DENSITIES = ['comfortable', 'compact'] as const

/** Row height. */
export const density = new Preference('density', DENSITIES, 'comfortable')

/** Applies the density through a data attribute that tokens.css reads. */
const show = (): void => {
  document.documentElement.dataset['density'] = density.get()
}

if (typeof document !== 'undefined') {
  show()
  density.subscribe(show)
}
