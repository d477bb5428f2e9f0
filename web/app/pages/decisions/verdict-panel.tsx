import { reintroduces } from '../../../../src/kernel/domain/phrases.ts'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { inferredNote } from '../../../../src/record/domain/decision/inferred.ts'
import { nearestLine } from '../../../../src/record/domain/nearest-line.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Keys } from '../../kit/keys.tsx'
import { numberOf, type useCheck } from './use-check.ts'
import { FoundHit, RelatedHit } from './verdict-hit.tsx'
import { counted } from './words.ts'
import styles from './verdict-panel.module.css'

interface Props {
  readonly id: string
  readonly told: ReturnType<typeof useCheck>
  readonly typed: string
  readonly active: number
  readonly onOpen: (number: number) => void
  readonly onPropose: () => void
}

/** Result of checking the typed text: first a summary in one line, then each hit. */
export const VerdictPanel = ({ id, told, typed, active, onOpen, onPropose }: Props) => {
  const option = (at: number, number: number) => ({
    id: `${id}-hit-${at}`,
    isActive: at === active,
    words: typed,
    onOpen: () => onOpen(number),
  })
  return (
    <div className={styles.panel} data-behind={told.isBehind || undefined}>
      <p className={styles.verdict} role="status">
        {told.fault === null ? (told.isBehind ? 'Checking…' : verdictWords(told)) : ''}
      </p>
      {told.fault !== null && <FaultNote fault={told.fault} />}
      <div className={styles.hits} id={`${id}-hits`} role="listbox" aria-label="Related decisions">
        {told.related.map((hit, at) => (
          <RelatedHit key={`r${hit.id}`} hit={hit} {...option(at, numberOf(hit.id))} />
        ))}
        {told.found.map((hit, at) => (
          <FoundHit key={`f${hit.number}`} hit={hit} {...option(told.related.length + at, hit.number)} />
        ))}
      </div>
      <footer className={styles.foot}>
        <span className={styles.keys}>
          <Keys of="down" /> <Keys of="enter" /> open
        </span>
        {/* Before the field loses the focus, or the panel would be gone when the click comes. */}
        <Button
          size="small"
          icon="plus"
          disabled={told.isBehind && told.fault === null}
          onPointerDown={(event) => event.preventDefault()}
          onClick={onPropose}
        >
          Propose “{typed.length > 40 ? `${typed.slice(0, 40)}…` : typed}”
        </Button>
      </footer>
    </div>
  )
}

/** One-line summary: reintroduced alternatives, the number of related decisions, or none. */
function verdictWords({ check, related }: Props['told']): string {
  if (check === undefined) return 'Checking…'
  const back = related.find((hit) => hit.brings_back)
  if (back?.brings_back)
    return `It ${reintroduces(back.brings_back.alternative, back.brings_back.rejected_by)}${inferredNote(back.brings_back)}.`
  const [returned] = check.returns_to
  if (returned !== undefined)
    return `It returns to ${label(numberOf(returned.id))}, superseded by ${label(Number(returned.superseded_by))}.`
  const searched = [...nearestLine(check.nearest), `${counted(check.searched, 'decision')} searched.`].join(' ')
  const count = check.related_decisions.length
  switch (check.verdict) {
    case 'strong':
      return `${counted(count, 'decision')} directly related. ${searched}`
    case 'related':
      return `${counted(count, 'decision')} possibly related. ${searched}`
    case 'weak':
      return `Only weak matches; review them yourself. ${searched}`
    case 'none':
      return `No related decisions. ${searched}`
  }
}
