import {
  cloneElement,
  Suspense,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react'

/** What happened to a trigger before the code of its overlay was loaded. */
export interface Early {
  isClicked: boolean
  isFocused: boolean
}

interface Props {
  readonly trigger: ReactElement
  /** What a click opens; without it, the overlay does not open on a click. */
  readonly popup?: 'menu' | 'dialog' | undefined
  /** The trigger with its overlay: a lazy component. */
  readonly children: (early: Early) => ReactNode
}

/**
 * An overlay of which the first paint needs only the trigger. The trigger alone is shown until the rest is loaded; a
 * click and the focus that it got meanwhile are kept.
 */
export const LateOverlay = ({ trigger, popup, children }: Props) => {
  const [early] = useState<Early>({ isClicked: false, isFocused: false })
  return <Suspense fallback={<BareTrigger trigger={trigger} popup={popup} early={early} />}>{children(early)}</Suspense>
}

const BareTrigger = ({ trigger, popup, early }: Omit<Props, 'children'> & { readonly early: Early }) => {
  const id = useId()
  // Runs before the element is removed, which would lose the focus.
  useLayoutEffect(() => () => void (early.isFocused = document.activeElement?.getAttribute(MARK) === id), [early, id])
  return cloneElement(trigger as ReactElement<Record<string, unknown>>, {
    [MARK]: id,
    ...(popup !== undefined && {
      'aria-haspopup': popup,
      'aria-expanded': false,
      onClick: () => void (early.isClicked = true),
    }),
  })
}

const MARK = 'data-bare'

/** Returns the ref of the trigger, which gets the focus that it had before its overlay was loaded. */
export function useEarlyFocus(early: Early) {
  const trigger = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (early.isFocused) trigger.current?.focus()
  }, [early])
  return trigger
}
