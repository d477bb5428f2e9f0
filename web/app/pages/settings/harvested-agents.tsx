import { useAnswer } from '../../api/queries.ts'
import { LongMutationBar } from '../../frame/long-mutation-bar.tsx'
import { useLongMutation } from '../../frame/use-long-mutation.ts'
import { Button } from '../../kit/button.tsx'
import { clientName } from '../../kit/names.ts'
import { Switch } from '../../kit/switch.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { Part } from './part.tsx'
import { useSettings } from './use-setting.ts'
import styles from './harvested-agents.module.css'

/** The agents with harvested sessions; each can be excluded. */
export const HarvestedAgents = () => {
  const { find, change } = useSettings()
  const setting = find('harvest.clients')
  const { data } = useAnswer('memory_status', {})
  const harvest = useLongMutation('harvest')
  const all = listOf(setting?.default)
  const chosen = listOf(setting?.value)
  const found = harvest.outcome?.clients.reduce((sum, one) => sum + one.new + one.changed, 0)
  return (
    <Part title="Agent sessions" about="Agent logs are only read. Secrets are redacted before anything is stored.">
      <div className={styles.agents}>
        {all.map((client) => (
          <Switch
            key={client}
            label={clientName(client)}
            on={chosen.includes(client)}
            disabled={setting?.source === 'environment'}
            onChange={(on) =>
              void change(
                'harvest.clients',
                all.filter((one) => (one === client ? on : chosen.includes(one))).join(','),
              )
            }
          />
        ))}
      </div>
      <div className={styles.now}>
        <Button icon="refresh" busy={harvest.isBusy} onClick={() => harvest.start({})}>
          Harvest now
        </Button>
        {found !== undefined && <span role="status">{found} new or changed sessions.</span>}
        {data?.last_harvest !== undefined && (
          <span className={styles.soft}>
            Last harvest <TimeAgo at={data.last_harvest} />
          </span>
        )}
      </div>
      <LongMutationBar deed={harvest} label="Reading sessions" />
    </Part>
  )
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
