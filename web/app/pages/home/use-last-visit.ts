import { useEffect, useState } from 'react'
import { keep, kept } from '../../kit/kept-text.ts'
import { visitAt, type Visit } from './last-visit.ts'

const EVERY_MS = 60_000

/** The current visit, stored in this browser. Use it in a component keyed by the project. */
export function useLastVisit(project: string): Visit {
  const key = `ken.visit.${project}`
  const [visit] = useState(() => visitAt(Date.now(), kept(key)))
  useEffect(() => {
    const see = (): void => keep(key, JSON.stringify({ ...visit, seen: new Date().toISOString() }))
    const seeWhenVisible = (): void => {
      if (document.visibilityState === 'visible') see()
    }
    see()
    const timer = setInterval(seeWhenVisible, EVERY_MS)
    return () => clearInterval(timer)
  }, [key, visit])
  return visit
}
