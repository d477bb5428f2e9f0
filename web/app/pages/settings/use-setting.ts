import { useQueryClient } from '@tanstack/react-query'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { showToast } from '../../kit/toast-store.ts'
import { settingText } from './setting-text.ts'

export type SettingRow = Calls['config_list']['output']['settings'][number]

/** All settings, and a function to change one; each change can be undone for ten seconds. */
export function useSettings() {
  const project = useProject()
  const client = useQueryClient()
  const { data, error, refetch } = useAnswer('config_list', {})
  const write = async (name: string, value: string | undefined): Promise<void> => {
    await (value === undefined ? call(project, 'config_unset', { name }) : call(project, 'config_set', { name, value }))
    await client.invalidateQueries({ queryKey: [project] })
  }
  const find = (name: string): SettingRow | undefined => data?.settings.find((one) => one.name === name)
  /** Undefined resets the setting to its default. Throws a `Fault` for an invalid value. */
  const change = async (name: string, value: string | undefined): Promise<void> => {
    const before = find(name)
    await write(name, value)
    const was = before?.source === 'config' ? settingText(before.value) : undefined
    showToast({
      text: value === undefined ? `Reset ${name} to its default.` : `${name} is now ${value === '' ? 'empty' : value}.`,
      undo: () => write(name, was),
    })
  }
  return { settings: data?.settings, unknown: data?.unknown ?? [], error, refetch, find, change }
}
