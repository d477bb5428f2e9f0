import type { Calls } from '../../api/call.ts'

export type RunWanted = Calls['test_run']['input']

/** The form's fields, as typed. */
export interface RunChoice {
  readonly which: 'all' | 'failed' | 'chosen'
  readonly model: string
  readonly threads: string
  readonly runs: string
  readonly maxCost: string
  readonly compare: boolean
}

export const USUAL_CHOICE: RunChoice = {
  which: 'all',
  model: '',
  threads: '4',
  runs: '',
  maxCost: '',
  compare: true,
}

export type RunFaults = Partial<Record<'threads' | 'runs' | 'maxCost' | 'model', string>>

/** Errors of the choice, by field; empty if it can be run. */
export function faultsOf({ threads, runs, maxCost, model }: RunChoice): RunFaults {
  const isWhole = (text: string, most: number): boolean => /^\d{1,4}$/.test(text) && +text >= 1 && +text <= most
  return {
    ...(!isWhole(threads.trim(), 64) && { threads: 'A whole number from 1 to 64.' }),
    ...(runs.trim() !== '' && !isWhole(runs.trim(), 100) && { runs: 'A whole number from 1 to 100, or nothing.' }),
    ...(!/^(?:\d{1,6}(?:\.\d{1,6})?)?$/.test(maxCost.trim()) && { maxCost: 'An amount such as 0.50, or nothing.' }),
    ...(modelsIn(model).some((one) => !one.includes(':')) && { model: 'As provider:model or agent:client.' }),
  }
}

/** The input of the run. `chosen` are the ids of the selected cases. */
export function runWanted(choice: RunChoice, chosen: readonly string[], hasEarlier: boolean): RunWanted {
  const models = modelsIn(choice.model)
  return {
    threads: Number(choice.threads),
    ...(choice.which === 'failed' && { failed: true }),
    ...(choice.which === 'chosen' && { select: [...chosen] }),
    ...(models.length > 0 && { model: [...models] }),
    ...(choice.runs.trim() !== '' && { runs: Number(choice.runs) }),
    ...(choice.maxCost.trim() !== '' && { max_cost: Number(choice.maxCost) }),
    ...(choice.compare && hasEarlier && { baseline: 'last' }),
  }
}

const modelsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
