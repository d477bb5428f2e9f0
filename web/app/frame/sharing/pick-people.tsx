import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { FindField } from '../../kit/find-field.tsx'
import css from './share-dialog.module.css'

interface Props {
  readonly people: Calls['sharing_show']['output']['people']
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

// From this number on a list has a search field.
const MANY = 8

/** Selects people of a project. */
export const PickPeople = ({ people, picked, onPick }: Props) => {
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const found = people.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted))
  const toggle = (id: string): void => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    onPick(next)
  }
  if (people.length === 0) return <p className={css.none}>Nobody else has access to this project yet.</p>
  return (
    <div className={css.people}>
      {people.length > MANY && <FindField label="Find people" value={words} onChange={setWords} />}
      <ul className={css.list} aria-label="People of the project">
        {found.map(({ id, name, email }) => (
          <li key={id}>
            <label className={css.person}>
              <input type="checkbox" checked={picked.has(id)} onChange={() => toggle(id)} />
              <span>{name === '' ? email : name}</span>
              {name !== '' && <span className={css.email}>{email}</span>}
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={css.none}>No matching people.</p>}
    </div>
  )
}
