import { EmptyState } from '../../../kit/empty-state.tsx'
import { PlaceLink } from '../../../kit/place-link.tsx'

/** Explains where drafts come from, if there are none. */
export const InboxEmpty = ({ settled }: { settled: boolean }) =>
  settled ? (
    <EmptyState title="Nothing was applied or dismissed yet." command="ken inbox" />
  ) : (
    <EmptyState
      title="Nothing waits for you. Vote an answer down and say why: Ken drafts a rule and a test of it, and you say yes or no."
      example={<p>For questions like “How many orders did we have?”: orders that were cancelled do not count.</p>}
      action={<PlaceLink to="ask">Ask something</PlaceLink>}
      command="ken memories learn"
    />
  )
