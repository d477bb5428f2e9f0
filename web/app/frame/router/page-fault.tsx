import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { call } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { useStore } from '../../kit/store.ts'
import { connection, connectionOf } from '../connection/connection.ts'
import { usePageTitle } from '../page-title.ts'
import styles from './router.module.css'

/** Replaces a page that crashed. The frame around it, and every other page, keep working. */
export const PageFault = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  usePageTitle('Something went wrong')
  const again = (): void => {
    reset()
    void router.invalidate()
  }
  const isMissingCode = MISSING_CODE.test(String(error))
  return (
    <div className={styles.instead}>
      <h1 tabIndex={-1}>Can’t show this page</h1>
      {isMissingCode ? <MissingCode /> : <FaultNote fault={error} />}
      <div className={styles.ways}>
        {!isMissingCode && (
          <Button look="primary" onClick={again}>
            Try again
          </Button>
        )}
        <Button look={isMissingCode ? 'primary' : 'plain'} onClick={() => location.reload()}>
          Reload
        </Button>
        <CopyButton look="plain" size="middle" label="Copy error details" text={() => report(error)} />
      </div>
    </div>
  )
}

/** How Vite and the browsers report code of a page that they could not load. */
const MISSING_CODE = /unable to preload|dynamically imported module|importing a module script/i

/** Code of the page is missing because Ken was stopped, or because the app was updated since this page was opened. */
const MissingCode = () => {
  const project = useProject()
  const state = useStore(connection)
  const wasAway = useRef(false)
  useEffect(() => {
    call(project, 'list_projects', {}).catch((fault: unknown) => {
      const told = connectionOf(fault)
      if (told !== undefined) connection.set(told)
    })
  }, [project])
  useEffect(() => {
    if (state !== 'there') wasAway.current = true
    // A browser does not ask twice for code that it could not load.
    else if (wasAway.current) location.reload()
  }, [state])
  return <FaultNote fault={MISSING} />
}

const MISSING = new Fault('unavailable', 'A part of the app could not be loaded.', {
  hint: 'Reload the page.',
  status: 0,
})

/** Text for a bug report: the error, the path, the browser and the stack; no page content. */
const report = (error: unknown): string =>
  [
    String(error),
    ...(error instanceof Fault ? [`code ${error.code}, status ${error.status}`] : []),
    `at ${location.pathname}`,
    navigator.userAgent,
    '',
    (error instanceof Error && error.stack) || '',
  ].join('\n')
