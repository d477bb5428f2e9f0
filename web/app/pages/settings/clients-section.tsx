import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { ClientChange } from './client-change.tsx'
import { Part } from './part.tsx'
import styles from './settings.module.css'

export type ClientRow = Calls['clients_list']['output']['clients'][number]

/** Each coding agent with its status; changes are previewed before they are written. */
export const ClientsSection = () => {
  const { data, error, refetch } = useAnswer('clients_list', {})
  const [open, setOpen] = useState<{ readonly client: string; readonly deed: 'connect' | 'disconnect' }>()
  const clients = (data?.clients ?? []).toSorted((a, b) => rank(a) - rank(b))
  return (
    <Part
      title="Coding agents"
      about="Agents start Ken as an MCP server. Connecting adds one entry to the agent’s configuration; disconnecting restores the file."
    >
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {!error && data === undefined && <Skeleton rows={6} />}
      <ul className={styles.rows}>
        {clients.map((one) => (
          <li key={one.client}>
            <Client
              client={one}
              deed={open?.client === one.client ? open.deed : undefined}
              onOpen={(deed) => setOpen(deed && { client: one.client, deed })}
            />
          </li>
        ))}
      </ul>
    </Part>
  )
}

const rank = ({ connected, present }: ClientRow): number => (connected.length > 0 ? 0 : present ? 1 : 2)

interface Props {
  readonly client: ClientRow
  readonly deed: 'connect' | 'disconnect' | undefined
  readonly onOpen: (deed: 'connect' | 'disconnect' | undefined) => void
}

const Client = ({ client, deed, onOpen }: Props) => {
  const isConnected = client.connected.length > 0
  const toggle = (wanted: 'connect' | 'disconnect'): void => onOpen(deed === wanted ? undefined : wanted)
  return (
    <div className={styles.part}>
      <div className={styles.split}>
        <div className={styles.line}>
          <span className={styles.name}>{client.title}</span>
          <State client={client} />
        </div>
        <span className={styles.end}>
          {isConnected && (
            <Button size="small" aria-expanded={deed === 'disconnect'} onClick={() => toggle('disconnect')}>
              Disconnect
            </Button>
          )}
          <Button size="small" aria-expanded={deed === 'connect'} onClick={() => toggle('connect')}>
            {isConnected ? 'Change' : 'Connect'}
          </Button>
        </span>
      </div>
      {isConnected && deed === undefined && (
        <p className={styles.mono}>
          {client.files.map((file) => (
            <span key={file}>{file} </span>
          ))}
        </p>
      )}
      {client.problem !== undefined && <p className={styles.warn}>{client.problem}</p>}
      {deed !== undefined && <ClientChange key={deed} client={client} deed={deed} onClose={() => onOpen(undefined)} />}
    </div>
  )
}

const State = ({ client: { connected, present } }: { client: ClientRow }) => {
  if (connected.length > 0)
    return (
      <span className={styles.good}>
        connected {connected.includes('user') ? 'for you' : ''}
        {connected.length > 1 ? ' and ' : ''}
        {connected.includes('project') ? 'in this project' : ''}
      </span>
    )
  return <span className={styles.soft}>{present ? 'installed, not connected' : 'not found on this machine'}</span>
}
