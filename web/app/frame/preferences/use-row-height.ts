import { useIsTouch } from '../use-media.ts'
import { density } from './density.ts'
import { usePreference } from './preference.ts'

/** Height of a one-line row in pixels, as in tokens.css. */
export function useRowHeight(): number {
  const [chosen] = usePreference(density)
  return useIsTouch() ? TOUCH : chosen === 'compact' ? 32 : 40
}

/** `--touch` of tokens.css in pixels: the least height of a row that a finger presses. */
export const TOUCH = 44
