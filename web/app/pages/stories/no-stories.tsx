import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import css from './stories.module.css'

/** Explains stories with an example, and how to create the first. */
export function NoStories({ onArchived }: { readonly onArchived: () => void }) {
  const project = useProject()
  return (
    <>
      <EmptyState
        title="Stories are pages of text, charts and tables that refresh. Ask the analyst for one, or save any answer as a story."
        example={
          <blockquote className={css.example}>
            <p>
              <strong>Revenue by month</strong>
            </p>
            <p>
              Revenue grew from <span className={css.exampleFigure}>41,200</span> in January to{' '}
              <span className={css.exampleFigure}>58,900</span> in October. A line chart and a table follow; the queries
              run again every weekday at 8.
            </p>
          </blockquote>
        }
        action={
          <Link
            className={css.ask}
            to="/$project/ask"
            params={{ project }}
            search={{ question: 'Write a story about ' }}
          >
            Ask for a story
          </Link>
        }
        command='ken ask "Write a story about revenue by month"'
      />
      <Button look="quiet" size="small" icon="archive" onClick={onArchived}>
        Archived stories
      </Button>
    </>
  )
}
