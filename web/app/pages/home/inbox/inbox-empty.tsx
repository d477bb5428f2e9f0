import { EmptyState } from '../../../kit/empty-state.tsx'
import { PlaceLink } from '../../../kit/place-link.tsx'

/** Explains where drafts come from, if there are none. */
export const InboxEmpty = ({ settled }: { settled: boolean }) =>
  settled ? (
    <EmptyState title="Drafts that you apply or dismiss appear here." command="ken inbox" />
  ) : (
    <EmptyState
      title="Drafts to review appear here. Vote an answer down and say why: Ken drafts a rule and a test for you to apply or dismiss."
      example={<p>For questions like “How many orders did we have?”: cancelled orders do not count.</p>}
      action={<PlaceLink to="ask">Ask a question</PlaceLink>}
      command="ken memories learn"
    />
  )
