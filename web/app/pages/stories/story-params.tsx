import { useId, useMemo, useState } from 'react'
import { USUAL_PERIODS } from '../../../../src/analyst/domain/story/period.ts'
import { queriesOf, readStory } from '../../../../src/analyst/domain/story/read-story.ts'
import {
  bindParams,
  choicesOf,
  sayMadeWith,
  type MadeWith,
  type StoryParam,
} from '../../../../src/analyst/domain/story/story-params.ts'
import { AppError } from '../../../../src/kernel/domain/errors.ts'
import { useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import type { ShownStory } from './story-page.tsx'
import type { StoryRefreshing } from './use-story-refresh.ts'
import css from './story.module.css'

interface StoryParamsProps {
  readonly story: ShownStory
  readonly refresh: StoryRefreshing
  /** Without it, the values are only shown. */
  readonly canChange: boolean
}

/** The values that a story is shown with, for its reader to change. */
export function StoryParams({ story, refresh, canChange }: StoryParamsProps) {
  const params = useMemo(() => readStory(story.text).params, [story.text])
  const made = useMemo(() => madeIn(story), [story])
  if (params.length === 0) return null
  if (!canChange) return made.length === 0 ? null : <p className={css.note}>{sayMadeWith(made, params)}</p>
  return <ParamForm params={params} made={made} story={story} refresh={refresh} />
}

function ParamForm({
  params,
  made,
  story,
  refresh,
}: Pick<StoryParamsProps, 'story' | 'refresh'> & {
  readonly params: readonly StoryParam[]
  readonly made: readonly MadeWith[]
}) {
  const [form, setForm, forget] = useKeptForm<{ values: Record<string, string> }>(
    `${useProject()}.story-values.${story.slug}`,
    { values: {} },
  )
  const [today] = useState(() => new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' }).format(new Date()))
  const results = useMemo(() => new Map(story.data.map((one) => [one.query, one])), [story.data])
  const current = ({ name, initial }: StoryParam): string => made.find((one) => one.name === name)?.value ?? initial
  const changed = params.filter((param) => (form.values[param.name] ?? current(param)) !== current(param))
  const problem = (param: StoryParam): string | undefined => {
    const value = form.values[param.name]
    if (value === undefined || value === current(param)) return undefined
    try {
      bindParams([param], { chosen: { [param.name]: value }, before: [], results, today })
      return undefined
    } catch (error) {
      return error instanceof AppError ? `${error.message} ${error.hint ?? ''}`.trim() : 'This value cannot be used.'
    }
  }
  const send = (values: Readonly<Record<string, string>>): void => {
    const set = params.flatMap((param) => {
      const value = values[param.name]
      return value === undefined || value === current(param) ? [] : [`${param.name}=${value}`]
    })
    if (set.length > 0) refresh.startWith(set, forget)
  }
  const isWrong = params.some((param) => problem(param) !== undefined)
  return (
    <form
      className={css.params}
      aria-label="Values"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) send(form.values)
      }}
    >
      {params.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          choices={choicesOf(param, results)}
          value={form.values[param.name] ?? current(param)}
          problem={problem(param)}
          says={made.find(({ name }) => name === param.name)?.says}
          onChange={(value, isChosen) => {
            const values = { ...form.values, [param.name]: value }
            setForm({ values })
            if (isChosen && !refresh.isRunning) send(values)
          }}
        />
      ))}
      <Button
        type="submit"
        size="small"
        busy={refresh.isRunning && changed.length > 0}
        disabled={changed.length === 0 || isWrong}
      >
        Apply
      </Button>
    </form>
  )
}

interface ParamFieldProps {
  readonly param: StoryParam
  readonly choices: readonly string[] | undefined
  readonly value: string
  readonly says: string | undefined
  readonly problem: string | undefined
  /** `isChosen`: from a list, and applied at once. */
  readonly onChange: (value: string, isChosen: boolean) => void
}

function ParamField({ param: { title, kind, initial }, choices, value, says, problem, onChange }: ParamFieldProps) {
  const list = useId()
  if (choices !== undefined) {
    const all = [...new Set([initial, value, ...choices])]
    return (
      <Select
        label={title}
        value={value}
        options={all.map((one) => ({ value: one, label: one === '' ? 'All' : one }))}
        onChange={(chosen) => onChange(chosen, true)}
      />
    )
  }
  const suggested = kind === 'period' ? USUAL_PERIODS : []
  return (
    <div>
      <TextField
        label={title}
        value={value}
        maxLength={200}
        error={problem}
        hint={says === undefined || says === value ? undefined : says.slice(says.indexOf('(') + 1, -1)}
        {...(kind === 'number' && { inputMode: 'decimal' as const })}
        {...(suggested.length > 0 && { list })}
        onChange={(event) => onChange(event.target.value, false)}
      />
      {suggested.length > 0 && (
        <datalist id={list}>
          {suggested.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </div>
  )
}

/** The values that the rows of a story were made with. */
export const madeIn = ({ text, data }: ShownStory): readonly MadeWith[] =>
  queriesOf(text)
    .map((query) => data.find((one) => one.query === query)?.made)
    .find((made) => made !== undefined) ?? []
