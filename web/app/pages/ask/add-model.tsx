import { useAct, useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { PlaceLink } from '../../kit/place-link.tsx'
import css from './add-model.module.css'

/** Explains how to get answers instead of sources: an installed agent, a model on this machine, or a key. */
export const AddModel = () => {
  const { data } = useAnswer('answerers', {})
  const set = useAct('config_set')
  const installed = data?.answerers.filter(({ why }) => why === 'installed') ?? []
  const withKey = data?.answerers.filter(({ why }) => why === 'key') ?? []
  const use = (value: string) => set.mutate({ name: 'model.name', value })
  if (data !== undefined && data.set !== '') return null
  return (
    <section className={css.add} aria-label="Add a model">
      <p className={css.title}>No model is set, so Ken shows the best sources. To get answers, choose one:</p>
      <ul className={css.ways}>
        {installed.map(({ name }) => (
          <li key={name}>
            <Button size="small" look="primary" busy={set.isPending} onClick={() => use(name)}>
              Use {AGENTS[name] ?? name}
            </Button>
            <span>Installed here; answers with its own model.</span>
          </li>
        ))}
        {withKey.slice(0, 1).map(({ name }) => (
          <li key={name}>
            <Button size="small" busy={set.isPending} onClick={() => use(name)}>
              Use {name}
            </Button>
            <span>Its key is set.</span>
          </li>
        ))}
        <li>
          <Command>ken config set model.name ollama:qwen3</Command>
          <span>A local model with Ollama.</span>
        </li>
        <li>
          <Command>ken keys set anthropic</Command>
          <span>
            A provider key, then one of its models in <PlaceLink to="settings">Settings</PlaceLink>.
          </span>
        </li>
      </ul>
      {set.isError && <FaultNote fault={set.error} />}
    </section>
  )
}

const AGENTS: Readonly<Record<string, string>> = {
  'agent:claude-code': 'Claude Code',
  'agent:codex': 'Codex',
  'agent:opencode': 'OpenCode',
  'agent:gemini': 'Gemini CLI',
}
