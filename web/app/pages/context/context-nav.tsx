import { Link } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { Count } from '../../kit/count.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { Views } from '../../kit/views.tsx'
import { sourceState } from './sources/source-state.ts'

/** Links beside the files: the sources, and the two editable texts if they can be changed here. */
export const ContextNav = () => {
  const { data } = useAnswer('source_list', {})
  const { data: tree } = useAnswer('context_files', {})
  const hasRules = tree?.files.some(({ path }) => path === 'RULES.md') === true
  const wrong = (data?.sources ?? []).filter((one) => sourceState(one).tone === 'bad').length
  return (
    <Views label="Context">
      <Entry to="/$project/context" icon="context" label="Overview" isExact />
      {data !== undefined && data.sources.some(({ key }) => key.startsWith('database/')) && (
        <Entry to="/$project/context/sql" icon="table" label="SQL" />
      )}
      <Entry to="/$project/context/sources" icon="refresh" label="Sources" wrong={wrong} />
      {isOffered('context_save') && <Entry to="/$project/context/config" icon="settings" label="ken.yaml" />}
      {isOffered('context_save') ? (
        <Entry to="/$project/context/rules" icon="list" label="Rules" />
      ) : (
        hasRules && <Entry to="/$project/context/file/$" file="RULES.md" icon="list" label="Rules" />
      )}
    </Views>
  )
}

interface EntryProps {
  readonly to: '/$project/context' | `/$project/context/${'sources' | 'sql' | 'config' | 'rules' | 'file/$'}`
  readonly file?: string
  readonly icon: IconName
  readonly label: string
  readonly isExact?: boolean
  readonly wrong?: number
}

const Entry = ({ to, file, icon, label, isExact = false, wrong = 0 }: EntryProps) => (
  <Link
    to={to}
    params={{ project: useProject(), _splat: file }}
    activeOptions={{ exact: isExact, includeSearch: false }}
    title={label}
  >
    <Icon name={icon} size={14} />
    <span>{label}</span>
    {wrong > 0 && <Count value={wrong} of={wrong === 1 ? 'source is failing' : 'sources are failing'} tone="bad" />}
  </Link>
)
