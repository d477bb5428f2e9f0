import { useState } from 'react'
import { useProject } from '../../../api/queries.ts'
import { keep, kept } from '../../../kit/kept-text.ts'

/** Whether the result of a set-up is shown: from its start in this browser until the reader closes it. */
export function useShownSetUp(): readonly [isShown: boolean, show: (isShown: boolean) => void] {
  const key = `ken.set-up.${useProject()}`
  const [, redraw] = useState(0)
  const show = (isShown: boolean): void => {
    keep(key, isShown ? 'shown' : undefined)
    redraw((count) => count + 1)
  }
  return [kept(key) === 'shown', show]
}
