import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { connection, connectionOf, type Connection } from './connection.ts'
import styles from './away.module.css'

// Often enough to notice a restarted server, seldom enough not to wake a sleeping machine.
const EVERY_MS = 2_000

/** Overlay while Ken is unreachable. The page stays below it with all that was typed. */
export const Away = ({ state }: { state: Exclude<Connection, 'there'> }) => {
  const again = useAgain()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    button.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const { title, text } = (isTeam() ? TEAM_WORDS : WORDS)[state]
  return (
    <div
      className={styles.cover}
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="away"
      aria-describedby="away-text"
    >
      <div className={styles.note}>
        <h1 id="away">{title}</h1>
        <p id="away-text" className={styles.text}>
          {text}
        </p>
        <div className={styles.ways}>
          {isTeam() ? state === 'no-session' && <a href={signInAgain()}>Sign in</a> : <Command>ken app</Command>}
          <Button ref={button} onClick={() => void again()}>
            Try again
          </Button>
        </div>
      </div>
    </div>
  )
}

const WORDS: Readonly<Record<Exclude<Connection, 'there'>, { title: string; text: string }>> = {
  away: {
    title: 'Can’t reach Ken',
    text: 'It was stopped or is restarting. This page reconnects automatically; what you typed is kept.',
  },
  'no-session': {
    title: 'No session',
    text: 'Ken only serves pages opened with its own link. To open a new one, run:',
  },
}

const TEAM_WORDS: typeof WORDS = {
  away: {
    title: 'Can’t reach Ken',
    text: 'The server or the network is down. This page reconnects automatically; what you typed is kept.',
  },
  'no-session': { title: 'You are not signed in', text: 'Your session has ended. Sign in to continue.' },
}

const signInAgain = (): string => `/sign-in?${new URLSearchParams({ to: `${location.pathname}${location.search}` })}`

/** Polls until Ken is back, then refetches everything shown. */
function useAgain(): () => Promise<void> {
  const project = useProject()
  const client = useQueryClient()
  const again = async (): Promise<void> => {
    const told = await call(project, 'list_projects', {}).then(
      () => 'there' as const,
      (fault: unknown) => connectionOf(fault) ?? 'there',
    )
    if (told === 'there') await client.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    connection.set(told)
    if (told === 'there') await client.invalidateQueries()
  }
  const now = useEffectEvent(() => void again())
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && now(), EVERY_MS)
    document.addEventListener('visibilitychange', now)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', now)
    }
  }, [])
  return again
}
