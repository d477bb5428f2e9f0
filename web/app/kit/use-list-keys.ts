import type { RefObject } from 'react'
import { useKeys } from '../frame/keys/use-keys.ts'

interface ListKeys {
  readonly enabled: boolean
  readonly act: (key: string) => boolean
  readonly label: string
  readonly can: { readonly preview: boolean; readonly check: boolean }
  readonly scroller: RefObject<HTMLElement | null>
}

/** Keys of the main list work wherever the focus is; the first one moves the focus to the list. */
export function useListKeys({ enabled, act, label, can, scroller }: ListKeys): void {
  const bind = (keys: string, does: string, unlisted = false) => ({
    keys,
    does,
    group: label,
    unlisted,
    run: () => {
      scroller.current?.focus({ preventScroll: true })
      act(keys)
    },
  })
  useKeys(
    [
      bind('j', 'Next'),
      bind('k', 'Previous'),
      bind('down', 'Next', true),
      bind('up', 'Previous', true),
      bind('enter', 'Open'),
      ...(can.preview ? [bind('space', 'Preview')] : []),
      ...(can.check ? [bind('x', 'Select')] : []),
    ],
    { enabled },
  )
}
