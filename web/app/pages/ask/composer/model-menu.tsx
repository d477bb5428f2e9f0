import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MODEL_NAME } from '../../../../../src/kernel/domain/model-name.ts'
import { call, type Calls } from '../../../api/call.ts'
import type { Fault } from '../../../api/fault.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useChosenModel } from '../use-chosen-model.ts'
import css from './model-menu.module.css'

// The menu is for reading, not for searching; any other model can be typed.
const MOST = 10

/** Selects the model: the configured one, or another one for this question. */
export const ModelMenu = () => {
  const { data } = useAnswer('answerers', {})
  const [chosen, choose] = useChosenModel()
  const [isNamed, setNamed] = useState(false)
  const test = useTest()
  const set = data?.set ?? ''
  const shown = chosen || set
  const others = (data?.answerers ?? []).filter(({ name }) => name !== set).slice(0, MOST)
  const options = [
    { value: '', label: set === '' ? 'No model (best sources)' : set, aside: 'set' },
    ...others.map(({ name, problem }) => ({
      value: name,
      label: name,
      ...(problem !== undefined && { aside: 'not ready' }),
    })),
    ...(chosen !== '' && chosen !== set && !others.some(({ name }) => name === chosen)
      ? [{ value: chosen, label: chosen }]
      : []),
  ]
  return (
    <>
      <Menu
        side="top"
        align="end"
        trigger={
          <Button size="small" look="quiet" className={css.trigger} busy={test.isPending}>
            <span className={css.name}>
              {data === undefined ? 'Model' : shown === '' ? 'No model' : shortOf(shown)}
            </span>
            <span aria-hidden="true">▾</span>
          </Button>
        }
        entries={[
          { choose: 'Answering model', value: chosen === set ? '' : chosen, options, onChoose: choose },
          'line',
          ...(shown === ''
            ? []
            : [{ label: `Test ${shortOf(shown)}`, icon: 'play' as const, onSelect: () => test.mutate(shown) }]),
          { label: 'Another model…', icon: 'plus', onSelect: () => setNamed(true) },
        ]}
      />
      <NameModel isOpen={isNamed} onClose={() => setNamed(false)} onChoose={choose} />
    </>
  )
}

/** Model name without a known provider prefix. */
const shortOf = (name: string): string => name.replace(/^(?:anthropic|openai|google|mistral|agent|compatible):/, '')

function useTest() {
  const project = useProject()
  return useMutation<Calls['models_test']['output'], Fault, string>({
    mutationFn: (name) => call(project, 'models_test', { model: name }),
    onSuccess: ({ checks }) => {
      for (const { name, ok, milliseconds, problem, hint } of checks)
        showToast(
          ok
            ? { text: `${name} answered in ${(milliseconds / 1_000).toFixed(1)} s.` }
            : { text: [`${name} did not answer.`, problem, hint].filter(Boolean).join(' '), tone: 'bad' },
        )
    },
    onError: (fault) => showToast({ text: fault.message, tone: 'bad' }),
  })
}

interface NameProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChoose: (name: string) => void
}

const NameModel = ({ isOpen, onClose, onChoose }: NameProps) => {
  const [name, setName] = useState('')
  const typed = name.trim()
  const isRight = typed !== '' && MODEL_NAME.pattern.test(typed)
  const take = (): void => {
    if (!isRight) return
    onChoose(typed)
    onClose()
  }
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title="Another model"
      description="Only for this chat; settings do not change."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" aria-disabled={!isRight} onClick={take}>
            Use it
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        placeholder="ollama:qwen3"
        hint={MODEL_NAME.hint}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
        }}
      />
    </Dialog>
  )
}
