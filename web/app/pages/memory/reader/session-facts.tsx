import { Link } from '@tanstack/react-router'
import { label } from '../../../../../src/record/domain/decision/decision.ts'
import { useProject } from '../../../api/queries.ts'
import { clientName } from '../../../kit/names.ts'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { DocumentFacts } from './document-facts.tsx'
import type { ReadDocument } from './reader-props.ts'
import type { Session } from './use-turns.ts'
import styles from './reader-head.module.css'

/** Client, time and folder of the session, and the decisions of this project that it names. */
export const SessionFacts = ({ session, document }: { session: Session; document: ReadDocument }) => {
  const project = useProject()
  return (
    <>
      <p className={styles.facts}>
        <span>{clientName(session.client)}</span>
        <TimeAgo at={session.ended} />
        <span>
          {session.total.toLocaleString('en')} {session.total === 1 ? 'turn' : 'turns'}
        </span>
        {session.decisions.slice(0, 8).map(({ number, title }) => (
          <Link key={number} to="/$project/decisions/$id" params={{ project, id: String(number) }} title={title}>
            {label(number)}
          </Link>
        ))}
      </p>
      <DocumentFacts
        document={document}
        more={[
          [
            'Client',
            session.version === undefined
              ? clientName(session.client)
              : `${clientName(session.client)} ${session.version}`,
          ],
          ['Kind', session.kind === 'main' ? undefined : session.kind],
          ['Began', WHEN.format(new Date(session.started))],
          ['Ended', WHEN.format(new Date(session.ended))],
          ['Folder', session.project],
          ['Branch', session.branch],
          ['Started by', session.parent],
          [
            'Decisions mentioned',
            session.decisions.length === 0 ? undefined : (
              <ul>
                {session.decisions.map(({ number, title }) => (
                  <li key={number}>
                    <Link to="/$project/decisions/$id" params={{ project, id: String(number) }}>
                      {label(number)} {title}
                    </Link>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </>
  )
}

const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
