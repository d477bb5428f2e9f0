import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { WithCode } from '../../kit/with-code.tsx'
import { undoOf, wholeSetup, type SetupWanted } from './client-undo.ts'
import type { ClientRow } from './clients-section.tsx'
import { SetupChoices } from './setup-choices.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

interface Props {
  readonly client: ClientRow
  readonly deed: 'connect' | 'disconnect'
  readonly onClose: () => void
}

/** Shows the exact change, and the button that applies it. */
export const ClientChange = ({ client, deed, onClose }: Props) => {
  const project = useProject()
  const [scope, setScope] = useState(client.connected[0] ?? client.scope)
  const [parts, setParts] = useState({ with_hooks: false, with_skills: false })
  const wanted: SetupWanted = {
    client: client.client as SetupWanted['client'],
    scope,
    ...(deed === 'connect' ? parts : { remove: true }),
  }
  const plan = useAnswer('setup', { ...wanted, dry_run: true }, { keep: true })
  const { isBusy, fault, run, refresh } = useMutation()
  const report = plan.data?.clients[0]
  const changed = report === undefined ? 0 : changedFiles(report).length
  const write = (): void =>
    void run(async () => {
      // Read before the removal, so that an undo can restore the current setup.
      const before = client.connected.includes(scope) ? await wholeSetup(project, wanted) : undefined
      const done = await call(project, 'setup', wanted)
      const next = done.clients[0]?.next.join(' ') ?? ''
      showToast({
        text: deed === 'connect' ? `${client.title} is set up. ${next}` : `Ken is disconnected from ${client.title}.`,
        undo: () => undoOf(project, wanted, before).finally(refresh),
      })
    }).then((isDone) => isDone && onClose())
  return (
    <div className={styles.part}>
      <SetupChoices
        scope={scope}
        onScope={setScope}
        parts={deed === 'connect' ? parts : undefined}
        onParts={setParts}
      />
      {plan.isError && <FaultNote fault={plan.error} />}
      {plan.isPending && <Skeleton rows={4} label="Planning changes" />}
      {report && <SetupPlan report={report} />}
      {fault && <FaultNote fault={fault} />}
      <div className={styles.line}>
        <Button look={deed === 'connect' ? 'primary' : 'bad'} busy={isBusy} disabled={changed === 0} onClick={write}>
          {writeWords(changed, deed)}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

const writeWords = (files: number, deed: Props['deed']): string => {
  const what = files === 1 ? 'this change' : `these ${files} changes`
  return files === 0 ? 'No changes' : deed === 'connect' ? `Write ${what}` : `Disconnect with ${what}`
}

type Report = Calls['setup']['output']['clients'][number]

/** Changes that a setup would make in a client's files, or the reason why there are none. */
const SetupPlan = ({ report }: { report: Report }) => {
  const changed = changedFiles(report)
  return (
    <>
      {changed.map(({ path, diff }) => (
        <TextDiff key={path} label={path} diff={diff!} />
      ))}
      {report.files.map(
        ({ path, kept }) =>
          kept !== undefined && (
            <p key={path} className={styles.warn}>
              <code>{path}</code> not changed: {kept}
            </p>
          ),
      )}
      {report.problem && <p className={styles.warn}>{report.problem.message}</p>}
      {changed.length === 0 && report.problem === undefined && (
        <p className={styles.soft}>
          No changes{report.next.length > 0 && ': '}
          {report.next.map((line) => (
            <WithCode key={line}>{line}</WithCode>
          ))}
        </p>
      )}
    </>
  )
}

const changedFiles = (report: Report): Report['files'] => report.files.filter(({ diff }) => diff !== undefined)
