import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { Page } from '../../../frame/page.tsx'
import { Button } from '../../../kit/button.tsx'
import { Command } from '../../../kit/command.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import styles from './no-context.module.css'

/** Empty state without a context project: explains the purpose and content of one, with a button to create it. */
export const NoContext = () => {
  const project = useProject()
  const client = useQueryClient()
  const { data } = useAnswer('source_add', {})
  const found = (data?.found ?? []).filter(({ words }) => words !== undefined)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const chosen = found.filter(({ what }) => !left.has(what))
  const make = async (): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    try {
      await call(project, 'init_context', {})
      for (const { words, name } of chosen)
        await call(project, 'source_add', { what: [...words!], ...(name !== undefined && { name }) })
      await client.invalidateQueries({ queryKey: [project] })
    } catch (thrown) {
      setFault(thrown)
    }
    setBusy(false)
  }
  return (
    <Page title="Context">
      <div className={styles.empty}>
        <p className={styles.what}>
          A context project is a folder with a ken.yaml. Ken compiles its sources (databases, dbt projects, repositories
          and documents) into files that you and your agents can read.
        </p>
        {found.length > 0 && (
          <fieldset className={styles.found}>
            <legend>Found here</legend>
            {found.map(({ what, detail }) => (
              <label key={what} className={styles.offer}>
                <input
                  type="checkbox"
                  checked={!left.has(what)}
                  onChange={({ target }) => setLeft(toggled(left, what, !target.checked))}
                />
                <span>
                  {what}
                  {detail !== '' && <span className={styles.detail}>{detail}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <div className={styles.way}>
          <Button look="primary" busy={isBusy} onClick={() => void make()}>
            {chosen.length === 0
              ? 'Create a context project here'
              : `Create it with ${chosen.length === 1 ? 'this' : `these ${chosen.length}`}`}
          </Button>
          <Command>ken init --context</Command>
        </div>
        {fault !== undefined && <FaultNote fault={fault} />}
      </div>
    </Page>
  )
}

const toggled = (set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> =>
  isIn ? new Set([...set, key]) : new Set([...set].filter((one) => one !== key))
