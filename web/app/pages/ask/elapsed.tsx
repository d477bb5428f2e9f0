import { useEffect, useState } from 'react'

/** Elapsed seconds, updated once a second. */
export const Elapsed = ({ since }: { since: string }) => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <>{Math.max(0, Math.round((now - Date.parse(since)) / 1_000))} s</>
}
