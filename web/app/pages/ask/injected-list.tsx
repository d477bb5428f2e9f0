import type { ReactNode } from 'react'
import type { Injected } from '../../../../src/analyst/domain/chat/part.ts'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { PlaceLink } from '../../kit/place-link.tsx'
import css from './injected-list.module.css'

/** Context injected with the question, each item with a link. */
export const InjectedList = ({ injected }: { injected: Injected }) => {
  const { rules, memories, decisions, tables, skills, stories, examples = [] } = injected
  const nothing = [memories, decisions, tables, skills, stories, examples].every(({ length }) => length === 0)
  if (rules === undefined && nothing) return <p className={css.none}>Nothing was added to the question.</p>
  return (
    <dl className={css.list}>
      <Group name="Rules" many={rules === undefined ? [] : [rules]}>
        {(one) => (
          <PlaceLink to="context/rules">
            {one.path}
            {one.cut ? ', cut' : ''}
          </PlaceLink>
        )}
      </Group>
      <Group name="Facts" many={memories}>
        {(one) => <PlaceLink to="memory/about-me">{one.content}</PlaceLink>}
      </Group>
      <Group name="Decisions" many={decisions}>
        {(one) => (
          <PlaceLink to={`decisions/${one.number}`}>
            {label(one.number)} {one.title}
          </PlaceLink>
        )}
      </Group>
      <Group name="Tables" many={tables}>
        {(one) => <PlaceLink to={`context?find=${encodeURIComponent(one)}`}>{one}</PlaceLink>}
      </Group>
      <Group name="Skills" many={skills}>
        {(one) => one}
      </Group>
      <Group name="Stories" many={stories}>
        {(one) => <PlaceLink to={`stories/${encodeURIComponent(one)}`}>{one}</PlaceLink>}
      </Group>
      <Group name="Examples" many={examples}>
        {(one) => one}
      </Group>
    </dl>
  )
}

interface GroupProps<T> {
  readonly name: string
  readonly many: readonly T[]
  readonly children: (one: T) => ReactNode
}

const Group = <T,>({ name, many, children }: GroupProps<T>) =>
  many.length > 0 && (
    <div className={css.group}>
      <dt className={css.name}>{name}</dt>
      {many.map((one, at) => (
        <dd key={at} className={css.one}>
          {children(one)}
        </dd>
      ))}
    </div>
  )
