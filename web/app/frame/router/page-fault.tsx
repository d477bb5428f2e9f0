import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Fault } from '../../api/fault.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
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
  return (
    <div className={styles.instead}>
      <h1 tabIndex={-1}>Can’t show this page</h1>
      <FaultNote fault={error} />
      <div className={styles.ways}>
        <Button look="primary" onClick={again}>
          Try again
        </Button>
        <Button onClick={() => location.reload()}>Reload</Button>
        <CopyButton look="plain" size="middle" label="Copy error details" text={() => report(error)} />
      </div>
    </div>
  )
}

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
