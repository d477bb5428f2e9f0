import { useCallback, useState } from 'react'
import { chartHeight } from '../../../../src/analyst/domain/chart/chart-height.ts'
import type { Plot } from '../../../../src/analyst/domain/chart/plot.ts'

const USUAL = 400
const LEAST = 230

/** Low where it is narrow; a list of bars is as long as it must be. */
export function heightOf(plot: Plot, width: number): number {
  const whole = chartHeight(plot)
  return whole > USUAL ? whole : Math.round(Math.min(USUAL, Math.max(LEAST, width * 0.55)))
}

/** The width that an element has, as it changes; 0 until it is there. */
export function useWidth(): readonly [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0)
  const observe = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [observe, width]
}
