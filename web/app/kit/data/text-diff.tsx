import { useId, useMemo, useState } from 'react'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { diffRows, readDiff, type DiffLine, type DiffPart } from './read-diff.ts'
import css from './text-diff.module.css'

interface TextDiffProps {
  readonly label: string
  /** In the format of `unifiedDiff`. */
  readonly diff: string
  readonly names?: { readonly before: string; readonly after: string }
  readonly isSideBySideAtFirst?: boolean
}

/** Changes between two texts, in one column or side by side. */
export function TextDiff({ label, diff, names, isSideBySideAtFirst = false }: TextDiffProps) {
  const id = useId()
  const [isSplit, setSplit] = useState(isSideBySideAtFirst)
  const parts = useMemo(() => readDiff(diff), [diff])
  const [added, removed] = ['added', 'removed'].map((kind) =>
    parts.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0),
  )
  return (
    <section className={css.frame} aria-labelledby={id}>
      <header className={css.head}>
        <h3 id={id} className={css.title}>
          {label}
        </h3>
        <span className={css.added}>+{added}</span>
        <span className={css.removed}>−{removed}</span>
        <Button look="quiet" size="small" icon="split" aria-pressed={isSplit} onClick={() => setSplit(!isSplit)}>
          Side by side
        </Button>
      </header>
      <div className={css.scroll} tabIndex={0} role="group" aria-labelledby={id}>
        <table className={css.table}>
          {isSplit && names !== undefined && (
            <thead>
              <tr>
                <th colSpan={2}>{names.before}</th>
                <th colSpan={2}>{names.after}</th>
              </tr>
            </thead>
          )}
          {parts.map((part, at) => (isSplit ? <Split key={at} part={part} /> : <Unified key={at} part={part} />))}
        </table>
      </div>
    </section>
  )
}

const Unified = ({ part }: { readonly part: DiffPart }) => (
  <tbody className={css.part}>
    {part.lines.map((line, at) => (
      <tr key={at} className={css[line.kind]}>
        <td className={css.number}>{line.before}</td>
        <td className={css.number}>{line.after}</td>
        <Line line={line} />
      </tr>
    ))}
  </tbody>
)

const Split = ({ part }: { readonly part: DiffPart }) => (
  <tbody className={css.part}>
    {diffRows(part).map(({ before, after }, at) => (
      <tr key={at}>
        <td className={classNames(css.number, before && css[before.kind])}>{before?.before}</td>
        <Line line={before} isHalf />
        <td className={classNames(css.number, after && css[after.kind])}>{after?.after}</td>
        <Line line={after} isHalf />
      </tr>
    ))}
  </tbody>
)

const SIGNS = { added: '+', removed: '−', same: ' ' } as const

function Line({ line, isHalf = false }: { readonly line: DiffLine | undefined; readonly isHalf?: boolean }) {
  if (line === undefined) return <td className={css.empty} />
  return (
    <td className={classNames(css.line, isHalf && css.half, isHalf && css[line.kind])}>
      <span className={css.sign} aria-hidden>
        {SIGNS[line.kind]}
      </span>
      {line.kind !== 'same' && <span className="visually-hidden">{line.kind}: </span>}
      {line.text}
    </td>
  )
}
