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
        title="A story is a page of text, charts and tables that stay fresh. The analyst writes one when you ask it to, and every answer can be kept as one."
        example={
          <blockquote className={css.example}>
            <p>
              <strong>Revenue by month</strong>
            </p>
            <p>
              Revenue grew from <span className={css.exampleFigure}>41,200</span> in January to{' '}
              <span className={css.exampleFigure}>58,900</span> in October. A line chart and a table follow, and every
              weekday at 8 the queries are asked again.
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
