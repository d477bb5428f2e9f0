import { useCallback, useLayoutEffect, useRef, useState, type RefCallback } from 'react'

export interface StayAtEnd {
  readonly frame: (element: HTMLElement | null) => void
  readonly inside: RefCallback<HTMLElement>
  readonly onScroll: () => void
  readonly isAtEnd: boolean
  readonly jump: () => void
}

interface Told {
  /** Changes with every event. */
  readonly log: unknown
  readonly sent: unknown
  readonly isAnswering: boolean
  /** Whether there is content to show. */
  readonly isThere: boolean
}

// Distance from the end, in pixels, within which the view follows new text.
const NEAR = 48

/**
 * Keeps the end in view while an answer is written and the reader is there, and never scrolls otherwise. An opened chat
 * shows its last question.
 */
export function useStayAtEnd({ log, sent, isAnswering, isThere }: Told): StayAtEnd {
  const frame = useRef<HTMLElement | null>(null)
  const isPinned = useRef(true)
  const isWritten = useRef(isAnswering)
  const [isAtEnd, setAtEnd] = useState(true)
  const settle = useCallback(() => {
    const element = frame.current
    if (element !== null && isPinned.current && isWritten.current) element.scrollTop = element.scrollHeight
  }, [])
  const jump = useCallback(() => {
    isPinned.current = true
    setAtEnd(true)
    frame.current?.scrollTo({ top: frame.current.scrollHeight })
  }, [])
  // Always scrolls to a question that the person sends.
  useLayoutEffect(() => {
    if (sent !== undefined) jump()
  }, [sent, jump])
  useLayoutEffect(() => {
    if (isThere && !isWritten.current) lastOf(frame.current, 'data-question')?.scrollIntoView({ block: 'start' })
  }, [isThere])
  useLayoutEffect(() => {
    if (isWritten.current && !isAnswering && isPinned.current) showWhole(frame.current)
    isWritten.current = isAnswering || sent !== undefined
    settle()
  }, [log, sent, isAnswering, settle])
  const inside = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      if (element === null) return
      const watcher = new ResizeObserver(settle)
      watcher.observe(element)
      return () => watcher.disconnect()
    },
    [settle],
  )
  const onScroll = useCallback(() => {
    const element = frame.current
    if (element === null) return
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    isPinned.current = below < NEAR
    // Charts and rows follow a completed answer: less than a screen of them does not count as far from the end.
    setAtEnd(below < (isWritten.current ? NEAR : element.clientHeight))
  }, [])
  const hold = useCallback((element: HTMLElement | null) => {
    frame.current = element
  }, [])
  return { frame: hold, inside, onScroll, isAtEnd, jump }
}

/** Scrolls to charts and rows below a completed answer, but keeps the beginning of its text in view. */
function showWhole(frame: HTMLElement | null): void {
  const text = lastOf(frame, 'data-answer-text')
  if (frame === null || text === undefined) return
  const top = text.getBoundingClientRect().top - frame.getBoundingClientRect().top
  frame.scrollTop = Math.max(frame.scrollTop, Math.min(frame.scrollHeight, frame.scrollTop + top - MARGIN))
}

const MARGIN = 16

const lastOf = (frame: HTMLElement | null, mark: string): Element | undefined =>
  [...(frame?.querySelectorAll(`[${mark}]`) ?? [])].at(-1)
