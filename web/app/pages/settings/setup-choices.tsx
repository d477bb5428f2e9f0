import { Switch } from '../../kit/switch.tsx'
import { Choice } from './choice.tsx'
import type { SetupWanted } from './client-undo.ts'

type Scope = NonNullable<SetupWanted['scope']>

interface Parts {
  readonly with_hooks: boolean
  readonly with_skills: boolean
}

interface Props {
  readonly scope: Scope
  readonly onScope: (scope: Scope) => void
  /** Undefined for a removal, because a removal removes everything. */
  readonly parts: Parts | undefined
  readonly onParts: (parts: Parts) => void
}

/** The scope of a setup, and its parts besides the tools. */
export const SetupChoices = ({ scope, onScope, parts, onParts }: Props) => (
  <>
    <Choice
      label="Where"
      value={scope}
      onChange={onScope}
      options={[
        { value: 'project', label: 'In this project' },
        { value: 'user', label: 'For you, everywhere' },
      ]}
    />
    {parts && (
      <>
        <Switch
          label="Add hooks"
          hint="Give the agent a summary at the start of each session, and the decisions related to each prompt."
          on={parts.with_hooks}
          onChange={(on) => onParts({ ...parts, with_hooks: on })}
        />
        <Switch
          label="Add skills"
          hint="Two skills: one to seed a record, one to record decisions."
          on={parts.with_skills}
          onChange={(on) => onParts({ ...parts, with_skills: on })}
        />
      </>
    )}
  </>
)
