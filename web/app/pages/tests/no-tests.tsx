import { Button } from '../../kit/button.tsx'
import { CodeText } from '../../kit/data/code-text.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'

/** Empty state without cases: an example, and how to create the first. */
export const NoTests = ({ folder, onRecord }: { folder: string; onRecord: () => void }) => (
  <EmptyState
    title={`Test cases appear here. A case is a question with its expected result, in ${folder}/. Record the first one.`}
    example={<CodeText language="yaml" text={EXAMPLE} />}
    action={
      <Button look="primary" icon="plus" onClick={onRecord}>
        Record one from a chat
      </Button>
    }
    command="ken test record"
  />
)

const EXAMPLE = `- name: revenue of march
  kind: sql
  prompt: What was our revenue in March?
  sql: SELECT sum(amount) AS revenue FROM orders WHERE month = '2026-03'
  tables: [orders]`
