import { useState } from 'react'
import type { Access, Role } from '../../../../src/team/domain/role.ts'
import { call } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Confirm } from './confirm.tsx'
import { ContextGitPart } from './context-git-part.tsx'
import { Part } from './part.tsx'
import { ROLE_OPTIONS } from './people-section.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

const ACCESS_OPTIONS: readonly { value: Access; label: string }[] = [
  { value: 'organisation', label: 'Everyone in the organisation' },
  { value: 'members', label: 'Members only' },
]

/** The name and members of the open project, and a form for a new project. */
export const ProjectsSection = () => {
  const { data, error, refetch } = useAnswer('project_members', {})
  return (
    <>
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {!error && data === undefined && <Skeleton rows={6} />}
      {data && <ThisProject name={data.project.name} access={data.access} isAdmin={data.role === 'admin'} />}
      {data?.role === 'admin' && <ContextGitPart />}
      {data && <Members members={data.members} isAdmin={data.role === 'admin'} />}
      <NewProject />
      <Archived />
    </>
  )
}

const ThisProject = ({ name, access, isAdmin }: { name: string; access: Access; isAdmin: boolean }) => {
  const project = useProject()
  const [typed, setTyped] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, fault, run } = useMutation()
  const wanted = typed ?? name
  if (!isAdmin)
    return (
      <Part title={name}>
        <p>{ACCESS_OPTIONS.find(({ value }) => value === access)!.label}.</p>
      </Part>
    )
  return (
    <Part title={name} about="Archiving hides it until an admin restores it; nothing is deleted.">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void run(() => call(project, 'project_change', { name: wanted.trim() })).then(
            (isDone) => isDone && setTyped((now) => (now === typed ? undefined : now)),
          )
        }}
      >
        <TextField label="Name" value={wanted} onChange={({ target }) => setTyped(target.value)} />
        <Button type="submit" busy={isBusy} disabled={wanted.trim() === '' || wanted.trim() === name}>
          Rename
        </Button>
      </form>
      <div className={styles.form}>
        <Select<Access>
          label="Access"
          value={access}
          options={ACCESS_OPTIONS}
          disabled={isBusy}
          onChange={(chosen) => void run(() => call(project, 'project_change', { access: chosen }))}
        />
        <Button onClick={() => setAsking(true)}>Archive</Button>
      </div>
      {fault && <FaultNote fault={fault} />}
      {isAsking && (
        <Confirm
          title={`Archive ${name}?`}
          about="It is hidden until an organisation admin restores it."
          word="Archive"
          deed={async () => {
            await call(project, 'project_archive', { project_id: project })
            location.assign('/')
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Part>
  )
}

interface Member {
  readonly id: string
  readonly email: string
  readonly role: Role
}

const Members = ({ members, isAdmin }: { members: readonly Member[]; isAdmin: boolean }) => {
  const project = useProject()
  const [person, setPerson] = useState('')
  const [role, setRole] = useState<Role>('member')
  const { isBusy, fault, run } = useMutation()
  return (
    <Part title="Members" about="People with their own role in this project.">
      <ul className={styles.rows}>
        {members.map((member) => (
          <li key={member.id} className={styles.line}>
            <span className={styles.name}>{member.email}</span>
            <span className={styles.soft}>{member.role}</span>
            {isAdmin && (
              <span className={styles.end}>
                <Button
                  size="small"
                  aria-label={`Remove the role of ${member.email}`}
                  onClick={() => void run(() => call(project, 'project_revoke', { person: member.id }))}
                >
                  Remove
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {isAdmin && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            void run(() => call(project, 'project_grant', { person: person.trim(), role })).then(
              (isDone) => isDone && setPerson((now) => (now === person ? '' : now)),
            )
          }}
        >
          <TextField
            label="E-mail address"
            type="email"
            value={person}
            onChange={({ target }) => setPerson(target.value)}
          />
          <Select<Role> label="Role" value={role} options={ROLE_OPTIONS} onChange={setRole} />
          <Button type="submit" icon="plus" busy={isBusy} disabled={person.trim() === ''}>
            Add member
          </Button>
        </form>
      )}
      {fault && <FaultNote fault={fault} />}
    </Part>
  )
}

const NewProject = () => {
  const project = useProject()
  const [name, setName] = useState('')
  const [access, setAccess] = useState<Access>('organisation')
  const { isBusy, fault, run } = useMutation()
  return (
    <Part title="New project">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void run(async () => {
            const made = await call(project, 'create_project', { name: name.trim(), access })
            location.assign(`/${made.id}`)
          })
        }}
      >
        <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} />
        <Select<Access> label="Access" value={access} options={ACCESS_OPTIONS} onChange={setAccess} />
        <Button type="submit" icon="plus" busy={isBusy} disabled={name.trim() === ''}>
          Create
        </Button>
      </form>
      {fault && <FaultNote fault={fault} />}
    </Part>
  )
}

/** Archived projects, for admins of the organisation; hidden for others. */
const Archived = () => {
  const project = useProject()
  const { data: people } = useAnswer('people_list', {})
  const { data } = useAnswer('projects_archived', {}, { enabled: people?.you.role === 'admin' })
  const { fault, run } = useMutation()
  if (data === undefined || data.projects.length === 0) return null
  return (
    <Part title="Archived">
      <ul className={styles.rows}>
        {data.projects.map(({ id, name }) => (
          <li key={id} className={styles.line}>
            <span className={styles.name}>{name}</span>
            <span className={styles.end}>
              <Button
                size="small"
                aria-label={`Restore ${name}`}
                onClick={() => void run(() => call(project, 'project_unarchive', { id }))}
              >
                Restore
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {fault && <FaultNote fault={fault} />}
    </Part>
  )
}
