import { density } from './density.ts'
import { usePreference } from './preference.ts'

/** Height of a one-line row in pixels, as in tokens.css. */
export const useRowHeight = (): number => (usePreference(density)[0] === 'compact' ? 32 : 40)
