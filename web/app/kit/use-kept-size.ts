import { useState } from 'react'
import { keep, kept } from './kept-text.ts'

export interface SizeBounds {
  readonly usual: number
  readonly least: number
  readonly most: number
}

/** A width in pixels, stored in this browser. */
export function useKeptSize(name: string, bounds: SizeBounds): readonly [number, (size: number) => void] {
  const [size, setSize] = useState(() => {
    const before = Number(kept(`ken.${name}`))
    return before >= bounds.least && before <= bounds.most ? before : bounds.usual
  })
  const change = (wanted: number): void => {
    const next = Math.round(Math.max(bounds.least, Math.min(bounds.most, wanted)))
    setSize(next)
    keep(`ken.${name}`, String(next))
  }
  return [size, change]
}
