import { useState } from 'react'
import { ROLES, type Role } from '../../../../src/team/domain/role.ts'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { Confirm } from './confirm.tsx'
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

type PersonRow = Calls['people_list']['output']['people'][number]

export const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: value }))

/** Members of the organisation; admins invite and remove people here. */
export const PeopleSection = () => {
  const { data, error, refetch } = useAnswer('people_list', {})
  const isAdmin = data?.you.role === 'admin'
  const you = data?.people.find(({ id }) => id === data.you.id)
  return (
    <>
      {you && <YourName name={you.name} />}
      <Part
        title="People"
        about="Everyone in the organisation. Roles can differ per project: see Projects. Role changes take effect immediately."
      >
        {error && <FaultNote fault={error} again={() => void refetch()} />}
        {!error && data === undefined && <Skeleton rows={4} />}
        <ul className={styles.rows}>
          {data?.people.map((person) => (
            <li key={person.id}>
              <PersonLine person={person} isAdmin={isAdmin} isYou={person.id === data.you.id} />
            </li>
          ))}
        </ul>
      </Part>
      {isAdmin && <Invitations />}
    </>
  )
}

const YourName = ({ name }: { name: string }) => {
  const project = useProject()
  const [typed, setTyped] = useState<string>()
  const { isBusy, fault, run } = useMutation()
  const text = typed ?? name
  const isSame = text.trim() === '' || text.trim() === name
  return (
    <Part title="Your name" about="Others see it on decisions, notes and stories of yours.">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isSame) return
          void run(() => call(project, 'name_change', { name: text.trim() })).then(
            (isDone) => isDone && setTyped((now) => (now === typed ? undefined : now)),
          )
        }}
      >
        <TextField label="Name" value={text} maxLength={100} onChange={({ target }) => setTyped(target.value)} />
        <Button type="submit" busy={isBusy} disabled={isSame}>
          Save
        </Button>
      </form>
      {fault && <FaultNote fault={fault} />}
    </Part>
  )
}

const PersonLine = ({ person, isAdmin, isYou }: { person: PersonRow; isAdmin: boolean; isYou: boolean }) => {
  const project = useProject()
  const { isBusy, fault, run } = useMutation()
  const [asks, setAsks] = useState<'remove' | 'sign out'>()
  return (
    <div className={styles.part}>
      <div className={styles.line}>
        <span className={styles.name}>{person.name}</span>
        <span className={styles.grow}>
          <span className={styles.soft}>
            {person.email}
            {isYou && ' · you'}
          </span>
        </span>
        {!isAdmin && <span>{person.role}</span>}
        {isAdmin && (
          <span className={styles.end}>
            <Select<Role>
              label={`Role of ${person.email}`}
              hideLabel
              value={person.role}
              options={ROLE_OPTIONS}
              disabled={isBusy}
              onChange={(role) => void run(() => call(project, 'people_change', { person: person.id, role }))}
            />
            <Button size="small" aria-label={`Sign out ${person.email}`} onClick={() => setAsks('sign out')}>
              Sign out
            </Button>
            <Button size="small" aria-label={`Remove ${person.email}`} onClick={() => setAsks('remove')}>
              Remove
            </Button>
          </span>
        )}
      </div>
      {fault && <FaultNote fault={fault} />}
      {asks === 'remove' && (
        <Confirm
          title={`Remove ${person.email}?`}
          about="They lose all access. What they wrote keeps their name."
          word="Remove"
          deed={() => call(project, 'people_remove', { person: person.id })}
          onClose={() => setAsks(undefined)}
        />
      )}
      {asks === 'sign out' && (
        <Confirm
          title={`Sign ${person.email} out everywhere?`}
          about="Ends all their browser sessions, tokens and clients. They can sign in again."
          word="Sign out"
          deed={() => call(project, 'people_sign_out', { person: person.id })}
          onClose={() => setAsks(undefined)}
        />
      )}
    </div>
  )
}

const Invitations = () => {
  const project = useProject()
  const { data } = useAnswer('invitations_list', {})
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [told, setTold] = useState('')
  const { isBusy, fault, run } = useMutation()
  const invite = (): void =>
    void run(async () => {
      const done = await call(project, 'people_invite', { email: email.trim(), role })
      setTold(`Invited ${done.email}. ${done.next}`)
      setEmail((now) => (now === email ? '' : now))
    })
  return (
    <Part title="Invitations" about="Invited people join by confirming their e-mail address.">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (email.trim() !== '') invite()
        }}
      >
        <TextField
          label="E-mail address"
          type="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Select<Role> label="Role" value={role} options={ROLE_OPTIONS} onChange={setRole} />
        <Button type="submit" icon="plus" busy={isBusy} disabled={email.trim() === ''}>
          Invite
        </Button>
      </form>
      {fault && <FaultNote fault={fault} />}
      {told !== '' && <p role="status">{told}</p>}
      <ul className={styles.rows}>
        {data?.invitations.map((one) => (
          <li key={one.id} className={styles.line}>
            <span className={styles.name}>{one.email}</span>
            <span className={styles.soft}>
              {one.role} · invited <TimeAgo at={one.created_at} />
            </span>
            <span className={styles.end}>
              <Button
                size="small"
                aria-label={`Withdraw the invitation of ${one.email}`}
                onClick={() => void run(() => call(project, 'invitation_withdraw', { id: one.id }))}
              >
                Withdraw
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
