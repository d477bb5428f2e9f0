import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Button } from '../../kit/button.tsx'
import { Tooltip } from '../../kit/tooltip.tsx'
import { without, type DecisionSearch } from './search.ts'

/** Opens the form, with the typed text as the title. */
export const ProposeButton = ({ search }: { search: DecisionSearch }) => {
  const propose = usePropose(search)
  useKeys([{ keys: 'p', does: 'Propose a decision from this text', group: 'Decisions', run: propose }])
  return (
    <Tooltip text="Propose a decision" keys="p">
      <Button look="primary" icon="plus" folds onClick={propose}>
        Propose
      </Button>
    </Tooltip>
  )
}

/** Opens the form without the as-of date, because a proposal always applies to the present. */
export function usePropose(search: DecisionSearch): () => void {
  const project = useProject()
  const navigate = useNavigate()
  return () => void navigate({ to: '/$project/decisions/new', params: { project }, search: without(search, 'asOf') })
}
