import { useMemo, useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { CodeEditor } from '../../../kit/data/code-editor.tsx'
import { TrustDialog } from '../sources/trust-dialog.tsx'
import { DryRun } from './dry-run.tsx'
import { EditorHead } from './editor-head.tsx'
import { PlanNote } from './plan-note.tsx'
import { schemaChoices, schemaHelp, type JsonSchema } from './schema-help.ts'
import { useDryRun } from './use-dry-run.ts'
import { usePlan } from './use-plan.ts'
import { useProjectText } from './use-project-text.ts'
import styles from './editor.module.css'

/** ken.yaml editor: shows problems by line while typing, and a dry run shows what a sync would do. */
export const ConfigPage = () => {
  const text = useProjectText('ken.yaml')
  const plan = usePlan(text.text, text.shown !== undefined)
  const dryRun = useDryRun()
  const [isTrusting, setTrusting] = useState(false)
  const schema = text.shown?.schema as JsonSchema | undefined
  const problems = useMemo(
    () =>
      (plan?.diagnostics ?? []).map(({ line, message, hint }) => ({
        line,
        message: [message.replace(/^ken\.yaml: /, ''), hint].filter(Boolean).join(' '),
        tone: 'bad' as const,
      })),
    [plan],
  )
  return (
    <div className={styles.around}>
      <article className={styles.page}>
        <EditorHead
          title="ken.yaml"
          about="The sources to compile. Keep secrets out: write ${NAME} and set NAME in .env."
          text={text}
        >
          {dryRun.isRunning ? (
            <Button icon="stop" onClick={dryRun.stop}>
              Stop
            </Button>
          ) : (
            <Button icon="play" onClick={() => dryRun.start(text.text)} disabled={plan?.usable !== true}>
              Dry run
            </Button>
          )}
        </EditorHead>
        <div className={styles.sides}>
          <CodeEditor
            label="ken.yaml"
            language="yaml"
            value={text.text}
            onChange={text.change}
            onSave={text.save}
            problems={problems}
            isReadOnly={text.shown === undefined || text.shown.fixed !== undefined}
            isFilling
            {...(schema !== undefined && {
              complete: (whole: string, at: number) => schemaChoices(whole, at, schema),
              help: (whole: string, at: number) => schemaHelp(whole, at, schema),
            })}
          />
          <aside aria-label="Planned changes" className={styles.plan}>
            <PlanNote plan={plan} isChanged={text.isChanged} onTrust={() => setTrusting(true)} />
            <DryRun run={dryRun} />
          </aside>
        </div>
        {isTrusting && <TrustDialog onClose={() => setTrusting(false)} />}
      </article>
    </div>
  )
}
