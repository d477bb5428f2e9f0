import { density } from './density.ts'
import { usePreference } from './preference.ts'

/** The height of a row of one line in pixels, as in tokens.css. */
export const useRowHeight = (): number => (usePreference(density)[0] === 'compact' ? 32 : 40)
