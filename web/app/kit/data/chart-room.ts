import { useCallback, useState } from 'react'
import { chartHeight, type Plot } from '../../../../src/analyst/domain/chart/plot.ts'

const USUAL = 400
const LEAST = 230

/** Chart height in pixels: smaller for a narrow chart; a list of bars is as tall as needed. */
export function heightOf(plot: Plot, width: number): number {
  const whole = chartHeight(plot)
  return whole > USUAL ? whole : Math.round(Math.min(USUAL, Math.max(LEAST, width * 0.55)))
}

/** The current width of an element; 0 before it is mounted. */
export function useWidth(): readonly [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0)
  const observe = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    // Before the first paint, so that what is sized by it does not move.
    setWidth(Math.floor(element.getBoundingClientRect().width))
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [observe, width]
}
