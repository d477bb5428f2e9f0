import { useNavigate } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useAct, useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import { LiveChecks } from './live-checks.tsx'
import { ProposalForm } from './proposal-form.tsx'
import { EMPTY_PROPOSAL, toInput, type ProposalDraft } from './proposal.ts'
import { newDecisionRoute } from './routes.ts'
import { without } from './search.ts'
import { numberOf } from './use-check.ts'
import { useUndoToast } from './use-undo-toast.ts'
import styles from './proposal-page.module.css'

/** A new decision, or one that supersedes others: the form, and next to it the check against decisions. */
export const ProposalPage = () => {
  const { supersedes = NONE, answers, ...search } = newDecisionRoute.useSearch()
  const name = `decision.${supersedes.join('-')}.${answers ?? ''}`
  return <Proposal key={name} {...{ name, supersedes, answers, search }} />
}

interface Props {
  readonly name: string
  readonly supersedes: readonly number[]
  readonly answers: string | undefined
  readonly search: Omit<ReturnType<typeof newDecisionRoute.useSearch>, 'supersedes' | 'answers'>
}

const Proposal = ({ name, supersedes, answers, search }: Props) => {
  const project = useProject()
  const navigate = useNavigate()
  const propose = useAct('propose_decision')
  const say = useUndoToast()
  const begins: ProposalDraft = {
    ...EMPTY_PROPOSAL,
    title: supersedes.length > 0 ? '' : (search.q ?? ''),
    resolves: answers === undefined ? [] : [answers],
  }
  const [draft, setDraft, forget, isKept] = useKeptForm(`${project}.${name}`, begins)
  // Text typed in the search field in the meantime is used as the title while the title is empty.
  const shown = isKept && draft.title === '' && begins.title !== '' ? { ...draft, title: begins.title } : draft
  const title = supersedes.length === 0 ? 'Propose a decision' : `Replace ${supersedes.map(label).join(' and ')}`
  usePageTitle(title)
  const rest = without(search, 'q', 'asOf')
  const toList = (): void => void navigate({ to: '/$project/decisions', params: { project }, search: rest })
  useKeys([{ keys: 'escape', does: 'Back, keeping the draft', group: 'Propose', run: toList }])
  const submit = (): void =>
    propose.mutate(toInput(shown, supersedes), {
      onSuccess: (done) => {
        if (done.status !== 'confirmed' || done.decision_id === undefined) return
        forget()
        const number = numberOf(done.decision_id)
        void navigate({ to: '/$project/decisions/$id', params: { project, id: String(number) }, search: rest })
        // Undo restores the text in the form.
        void say(done.assessment, () => {
          setDraft(shown)
          toList()
        })
      },
    })
  const refused = propose.data?.status === 'rejected' ? propose.data.assessment : undefined
  return (
    <div className={styles.page}>
      <section className={styles.form} aria-label={title}>
        <h2 className={styles.title}>{title}</h2>
        <ProposalForm
          draft={shown}
          onChange={setDraft}
          onSubmit={submit}
          onLeave={() => {
            forget()
            toList()
          }}
          isBusy={propose.isPending}
          refused={refused}
          fault={propose.error}
        />
      </section>
      <LiveChecks draft={shown} supersedes={supersedes} />
    </div>
  )
}

const NONE: readonly number[] = []
