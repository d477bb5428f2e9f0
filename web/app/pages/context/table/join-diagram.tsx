import { Link } from '@tanstack/react-router'
import { useProject } from '../../../api/queries.ts'
import { classNames } from '../../../kit/class-names.ts'
import type { TableFacts } from './facts.ts'
import { joinLayout, type JoinBox } from './join-layout.ts'
import styles from './join-diagram.module.css'

/** This table in the middle, referring tables on the left, referenced tables on the right. Dashed: inferred. */
export const JoinDiagram = ({ facts }: { facts: TableFacts }) => {
  const { left, right, height, middle, more } = joinLayout(facts.joins)
  return (
    <figure className={styles.figure}>
      <div className={styles.diagram} style={{ blockSize: height }}>
        <Side boxes={left} database={facts.database} />
        <Lines boxes={left} middle={middle} height={height} isLeft />
        <div className={classNames(styles.box, styles.own)} style={{ insetBlockStart: middle - 22 }}>
          <span className={styles.name}>{facts.table.slice(facts.table.indexOf('.') + 1)}</span>
        </div>
        <Lines boxes={right} middle={middle} height={height} />
        <Side boxes={right} database={facts.database} />
      </div>
      {more > 0 && <figcaption className={styles.more}>{more} more below</figcaption>}
    </figure>
  )
}

const Side = ({ boxes, database }: { boxes: readonly JoinBox[]; database: string }) => {
  const project = useProject()
  return (
    <div className={styles.side}>
      {boxes.map(({ table, columns, isDeclared, y }) => (
        <Link
          key={table}
          to="/$project/context/table/$"
          params={{ project, _splat: `${database}/${table}` }}
          className={classNames(styles.box, !isDeclared && styles.inferred)}
          style={{ insetBlockStart: y - 22 }}
        >
          <span className={styles.name}>{table.slice(table.indexOf('.') + 1)}</span>
          <span className={styles.columns}>by {columns}</span>
        </Link>
      ))}
    </div>
  )
}

interface LinesProps {
  readonly boxes: readonly JoinBox[]
  readonly middle: number
  readonly height: number
  readonly isLeft?: boolean
}

const Lines = ({ boxes, middle, height, isLeft = false }: LinesProps) => (
  <svg className={styles.lines} viewBox={`0 0 60 ${height}`} preserveAspectRatio="none" aria-hidden="true">
    {boxes.map(({ table, y, isDeclared }) => (
      <path
        key={table}
        className={classNames(styles.line, !isDeclared && styles.dashed)}
        d={isLeft ? `M0 ${y} C30 ${y} 30 ${middle} 60 ${middle}` : `M0 ${middle} C30 ${middle} 30 ${y} 60 ${y}`}
      />
    ))}
  </svg>
)
