import { EmptyState } from '../../../kit/empty-state.tsx'
import { PlaceLink } from '../../../kit/place-link.tsx'
import type { ReviewKind } from './inbox-search.ts'

interface Props {
  readonly settled: boolean
  readonly kind: ReviewKind | undefined
}

/** Explains what belongs here, if nothing is pending. */
export const InboxEmpty = ({ settled, kind }: Props) =>
  settled ? (
    <EmptyState title="Drafts that you apply or dismiss appear here." command="ken inbox" />
  ) : kind === 'conflict' ? (
    <EmptyState
      title="Files that two machines changed in ways that cannot be joined appear here, until you choose a text."
      command="ken conflicts"
    />
  ) : kind === 'proposal' ? (
    <EmptyState title="Decisions that agents propose appear here, until you accept or supersede them." />
  ) : kind === 'import' ? (
    <EmptyState
      title="Rejected alternatives that an import inferred appear here, until you confirm or remove them."
      command="ken import adr docs/adr"
    />
  ) : kind === 'drift' ? (
    <EmptyState title="The code follows every decision that can be checked." command="ken drift" />
  ) : (
    <EmptyState
      title="Drafts and agent proposals to review appear here. Vote an answer down and say why: Ken drafts a rule and a test for you to apply or dismiss."
      example={<p>For questions like “How many orders did we have?”: cancelled orders do not count.</p>}
      action={<PlaceLink to="ask">Ask a question</PlaceLink>}
      command="ken memories learn"
    />
  )
